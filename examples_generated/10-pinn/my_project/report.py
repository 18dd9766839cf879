"""What a run ends with: the solution beside the exact one."""

from pathlib import Path

from matplotlib.figure import Figure
from mindspore import Tensor, nn

from .config import Config
from .data import Arrays


def report(
    network: nn.Cell, config: Config, folder: Path, train_set: Arrays, eval_set: Arrays
) -> dict[str, float]:
    """Draw solution.png into the folder."""
    del train_set
    grid, solution = eval_set
    found = network(Tensor(grid)).asnumpy()
    figure = Figure(layout="constrained", figsize=(11, 3.2))
    titles = ("network", "exact", "error")
    values = (found, solution, found - solution)
    for axes, title, value in zip(figure.subplots(1, 3), titles, values):
        square = value.reshape(config.data.grid_size, -1)
        image = axes.imshow(square, origin="lower", extent=(0, 1, 0, 1))
        figure.colorbar(image)
        axes.set(title=title, xlabel="x", ylabel="y")
    figure.savefig(folder / "solution.png")
    return {}
