"""Draw the learning rate over a run, without training: schedule.png."""

import sys

from matplotlib.figure import Figure
from my_project.config import InputError, parse_args
from my_project.train_step import learning_rates

UPDATES = 1000  # the shape is the same for any number

if __name__ == "__main__":
    try:
        config, _ = parse_args("--run", "folder of a run, for its settings")
    except InputError as error:
        print(f"plot_schedule.py: {error}", file=sys.stderr)
        sys.exit(2)
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    shares = [100 * update / UPDATES for update in range(UPDATES)]
    axes.plot(shares, learning_rates(config.optimizer, UPDATES))
    axes.set(xlabel="updates, in % of all", ylabel="learning rate")
    figure.savefig("schedule.png")
    print("schedule.png")
