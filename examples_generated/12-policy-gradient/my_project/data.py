"""The samples: what an agent meets that plays in a gymnasium environment."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import gymnasium as gym
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from .config import DataConfig, InputError

Arrays = tuple[np.ndarray, ...]

ACTIONS = 2  # of the environment


def make_environments(config: DataConfig, count: int) -> gym.vector.VectorEnv:
    """Return `count` copies of the environment; where an episode ends, the next begins.

    Raises InputError for a name, observations or actions that cannot be used.
    """
    same_step = {"autoreset_mode": gym.vector.AutoresetMode.SAME_STEP}
    try:
        environments = gym.make_vec(config.environment, count, "sync", same_step)
    except (gym.error.Error, ImportError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"--data.environment {config.environment}: {reason}") from None
    actions = environments.single_action_space
    observations = environments.single_observation_space
    if not isinstance(actions, gym.spaces.Discrete) or len(observations.shape) != 1:
        raise InputError(
            f"--data.environment {config.environment}: vectors to observe and numbered "
            f"actions are needed, not {observations} and {actions}"
        )
    if actions.n != ACTIONS:
        raise InputError(
            f"{config.environment} has {actions.n} actions, and the network {ACTIONS}: "
            "change ACTIONS in data.py and the policy_head in network.py"
        )
    return environments


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


def batches(
    network: nn.Cell, config: DataConfig, seed: int, epoch: int
) -> Iterator[tuple[Tensor, ...]]:
    """Let the network play, and yield what it met: (observations, actions, returns).

    float32 (batch, features), int32 (batch,) and float32 (batch,). Each batch is played
    by the network as it then is. All follows from its weights, `seed` and `epoch`
    alone, as resuming needs: hence every epoch begins with new episodes.
    """
    rng = np.random.default_rng([seed, epoch])
    count = config.train_samples // config.batch_size
    environments = make_environments(config, config.environments)
    observations, _ = environments.reset(seed=int(rng.integers(2**31)))
    for _ in range(count):
        played, observations = play(
            build_predict(network), environments, observations, config, rng
        )
        yield tuple([Tensor(array) for array in played])
