def test_conflicting_gradients_are_projected():
    """NumPy's projection of three gradients gives the same sum."""
    vectors = np.random.default_rng(1).standard_normal((3, 4), dtype=np.float32)
    expected = np.zeros(4)
    for vector in vectors.astype(float):
        for other in vectors:
            vector = vector - min(vector @ other, 0) / (other @ other) * other
        expected += vector
    gradients = [(Tensor(vector[:1]), Tensor(vector[1:])) for vector in vectors]
    found = np.concatenate([part.asnumpy() for part in project_conflicts(gradients)])
    assert not np.allclose(expected, vectors.sum(axis=0))
    assert np.allclose(found, expected, rtol=0, atol=1e-6)
