def returns_to_go(
    rewards: np.ndarray, ends: np.ndarray, later: np.ndarray, discount: float
) -> np.ndarray:
    """Return the discounted mean of the rewards from each step on: (steps, players).

    `ends` tells after which steps an episode was over, and `later` (players,) is the
    return expected after the last step. A mean, not a sum, so that its size does not
    depend on the discount: (1 - discount) times the usual return.
    """
    returns = np.empty_like(rewards)
    for step in reversed(range(len(rewards))):
        later = np.where(ends[step], 0, later)
        later = (1 - discount) * rewards[step] + discount * later
        returns[step] = later
    return returns


@lru_cache(maxsize=1)
def build_predict(network: nn.Cell) -> Callable:
    """Return ``predict(observations) -> (logits, values)``, compiled once a network."""

    @ms.jit
    def compiled(observations):
        return network(observations)

    def predict(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, values = compiled(Tensor(observations))
        return logits.float().asnumpy(), values.float().asnumpy()[:, 0]

    return predict


def play(
    predict: Callable,
    environments: gym.vector.VectorEnv,
    observations: np.ndarray,
    config: DataConfig,
    rng: np.random.Generator,
) -> tuple[Arrays, np.ndarray]:
    """Play a batch on from these observations; return it, and the last observations.

    An action is drawn from the probabilities of its logits, by the largest sum with a
    Gumbel number. An episode that the time limit cuts counts as over.
    """
    seen, chosen, rewards, ends = [], [], [], []
    for _ in range(config.batch_size // config.environments):
        logits, _ = predict(observations)
        actions = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
        seen.append(observations)
        chosen.append(actions)
        observations, reward, ended, cut, _ = environments.step(actions)
        rewards.append(reward)
        ends.append(ended | cut)
    _, values = predict(observations)
    returns = returns_to_go(np.array(rewards), np.array(ends), values, config.discount)
    batch = (
        np.concatenate(seen).astype(np.float32),
        np.concatenate(chosen).astype(np.int32),
        returns.reshape(-1).astype(np.float32),
    )
    return batch, observations


def load(config: DataConfig, seed: int) -> tuple[Arrays, gym.vector.VectorEnv]:
    """Return a batch that was played by chance, and environments to evaluate in.

    The first tells the shapes and serves tests. Raises InputError for an environment
    that cannot be used.
    """
    environments = make_environments(config, config.environments)
    rng = np.random.default_rng(seed)

    def by_chance(observations):
        players = len(observations)
        return np.zeros((players, ACTIONS)), np.zeros(players)

    observations, _ = environments.reset(seed=int(rng.integers(2**31)))
    played, _ = play(by_chance, environments, observations, config, rng)
    return played, make_environments(config, config.eval_episodes)
