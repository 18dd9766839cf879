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
