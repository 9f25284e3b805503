"""The smallest file of published results that can be read, for tests that change it."""

PUBLISHED = {
    "checkpoints": [1.0], "algorithms": ["m"],
    "datasets": {"d": {"instances": [{"name": "i", "optimum": 1.0, "groundtruth": [1]}]}},
    "results": {
        "per_instance": {
            "1": {"d": {"i": {"m": {"value": 1.0, "bound": None, "accuracy_known_nodes": 0.5}}}}
        }
    },
    "performance_plot_data": {"d": {"m": {"x": [1.0, 2.0], "y": [0.5, 0.6]}}},
}  # fmt: skip
