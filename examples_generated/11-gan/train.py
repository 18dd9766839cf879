"""Train the network: ``python train.py --help`` explains every setting."""

import signal
import sys

from my_project.config import InputError, parse_args

if __name__ == "__main__":
    # MindSpore turns Ctrl-C into SIGTERM, which would end the process without a word.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        config, options = parse_args(
            "--resume", "folder of a run to go on with", nargs="?", const="latest"
        )
        from my_project.loop import train  # a slow import

        train(config, options.eager, options.run)
    except InputError as error:
        print(f"train.py: {error}", file=sys.stderr)
        sys.exit(2)
    except FloatingPointError as error:
        sys.exit(f"train.py: {error}")
    except KeyboardInterrupt:
        print("train.py: interrupted; --resume goes on", file=sys.stderr)
        sys.exit(130)
