"""Data files that cannot be used give one line that names the place."""

import shutil

import pytest
from shell import complaint, python

CSV = {
    "missing_column": ("x0,x1,other\n1,2,3\n4,5,6\n", ["target"]),
    "text": ("x0,target\n1,2\nthree,4\n5,6\n", ["line 3", "three"]),
    "blank_cell": ("x0,target\n1,2\n,4\n", ["line 3"]),
    "not_finite": ("x0,target\n1,2\n3,nan\n", ["line 3", "nan"]),
    "short_row": ("x0,target\n1,2\n3\n", ["line 3"]),
    "no_rows": ("x0,target\n", ["0 rows"]),
    "one_row": ("x0,target\n1,2\n", ["1 rows"]),
    "no_inputs": ("target\n1\n2\n", ["inputs"]),
    "twice": ("x0,x0,target\n1,2,3\n4,5,6\n", ["twice"]),
    "empty": ("", ["csv"]),
    "binary": ("x0,target\n1,2\n\x00\x01,4\n", ["csv"]),
}


@pytest.mark.parametrize("name", CSV)
def test_table(name, render, worker, tmp_path):
    """A table that cannot be read names the line or the column."""
    text, words = CSV[name]
    path = tmp_path / "rows.csv"
    path.write_text(text, encoding="utf-8")
    settings = [f"--data.path={path}"]
    project = render({"data": "files"})
    refusal = worker.run("refusals:load", project, settings=settings)
    assert "rows.csv" in refusal and "\n" not in refusal
    for word in words:
        assert word in refusal


@pytest.mark.parametrize("labels", ["0,1,2,7", "0,1,2,-1", "0,1,2,0.5"])
def test_class_out_of_range(labels, render, worker, tmp_path):
    """A class that the network has no output for is named."""
    path = tmp_path / "rows.csv"
    rows = [f"{n},{label}" for n, label in enumerate(labels.split(","))]
    path.write_text("\n".join(["x0,kind", *rows]), encoding="utf-8")
    tasks = [{"name": "kind", "kind": "classification", "outputs": 3}]
    project = render({"data": "files", "tasks": tasks})
    refusal = worker.run("refusals:load", project, settings=[f"--data.path={path}"])
    assert "kind" in refusal and "\n" not in refusal


def test_table_through_the_command_line(render, tmp_path):
    """train.py says in one line that there is no file, or that it is a folder."""
    project = render({"data": "files", "description": "no table"})
    assert "absent.csv" in complaint(project, "--data.path=absent.csv")
    assert "--data.path" in complaint(project, f"--data.path={tmp_path}")


@pytest.fixture
def pictures(render, tmp_path):
    """A project that reads pictures, and a folder of good ones for it."""
    project = render({"model": "cnn", "data": "files"})
    if not (project / "data").exists():
        assert python(project, "make_example_data.py").returncode == 0
    shutil.copytree(project / "data" / "images", tmp_path / "images")
    return project, tmp_path / "images"


def spoil_picture(images):
    """Cut a picture short."""
    path = sorted(images.glob("*/*.png"))[5]
    path.write_bytes(path.read_bytes()[:50])
    return path.name


def spoil_by_text(images):
    """Put text under a picture's name."""
    path = images / "class_0001" / "note.png"
    path.write_text("no picture", encoding="utf-8")
    return path.name


def spoil_by_nothing(images):
    """Put an empty file under a picture's name."""
    path = images / "class_0001" / "empty.jpg"
    path.touch()
    return path.name


def leave_one_class(images):
    """Remove all classes but one."""
    for folder in sorted(images.iterdir())[1:]:
        shutil.rmtree(folder)
    return "1 folders"


def empty_a_class(images):
    """Remove the pictures of a class."""
    for path in (images / "class_0002").iterdir():
        path.unlink()
    return "class_0002"


def remove_all(images):
    """Remove the folder."""
    shutil.rmtree(images)
    return "images"


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_picture,
        spoil_by_text,
        spoil_by_nothing,
        leave_one_class,
        empty_a_class,
        remove_all,
    ],
)
def test_pictures(spoil, pictures, worker):
    """A folder of pictures that cannot be used names the picture or the class."""
    project, images = pictures
    word = spoil(images)
    settings = [f"--data.path={images}"]
    refusal = worker.run("refusals:load", project, settings=settings)
    assert word in refusal and "\n" not in refusal


def test_pictures_through_the_command_line(pictures):
    """train.py names the picture that cannot be decoded."""
    project, images = pictures
    name = spoil_picture(images)
    assert name in complaint(project, f"--data.path={images}")
