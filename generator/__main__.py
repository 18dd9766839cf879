"""Starts the command `mindstep`."""

import sys


def main() -> None:
    """Run the command; an interrupt is one line even while the imports are under way."""
    try:
        from .cli import main as run_command

        status = run_command()
    except KeyboardInterrupt:
        status = 130
    if status == 130:
        print("mindstep: interrupted", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
