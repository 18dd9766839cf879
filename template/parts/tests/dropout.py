def test_dropout_drops_its_share():
    """A tenth becomes 0, another one each time; an evaluation keeps all."""
    ms.set_seed(1)
    dropout = Dropout(0.1).set_train()
    ones = Tensor(np.ones((100, 1000), np.float32))
    masks = [dropout(ones).asnumpy() for _ in range(2)]
    for mask in masks:
        assert set(np.unique(mask)) == {0, np.float32(1 / 0.9)}
        assert (mask == 0).mean() == pytest.approx(0.1, abs=0.005)  # 5 deviations
    # Two that are independent drop both in a hundredth of the places.
    assert ((masks[0] == 0) & (masks[1] == 0)).mean() == pytest.approx(0.01, abs=0.002)
    assert (dropout.set_train(False)(ones) == ones).all()
