"""Shares of synthetic problems in the shapes of the study that are solved or proven; 1 is all."""

import gmtoolbox as gm

SEEDS = range(3)
SIZE = 16


def problems():
    """Some problems of every shape."""
    return [gm.synth.generate(shape, seed, SIZE) for shape in gm.synth.SHAPES for seed in SEEDS]


class Shares:
    timeout = 600

    def setup_cache(self):
        """The best value of each problem: proven by auto, which gets all the time it wants."""
        return [gm.gm_solve(problem, time_limit=20).value for problem in problems()]

    setup_cache.timeout = 600

    def track_proven_by_auto_within_a_second(self, best):
        found = [gm.gm_solve(problem, time_limit=1.0) for problem in problems()]
        return sum(result.status == "optimal" for result in found) / len(found)

    def track_best_by_fm_bca_within_a_second(self, best):
        return self.share("fm-bca", best)

    def track_best_by_fm_within_a_second(self, best):
        return self.share("fm", best)

    def track_best_by_rrwm(self, best):
        return self.share("rrwm", best)

    def share(self, method, best):
        values = [gm.gm_solve(problem, method, time_limit=1.0).value for problem in problems()]
        near = [
            value <= known + 1e-6 * abs(known) for value, known in zip(values, best, strict=True)
        ]
        return sum(near) / len(near)

    track_proven_by_auto_within_a_second.unit = "share"
    track_best_by_fm_bca_within_a_second.unit = "share"
    track_best_by_fm_within_a_second.unit = "share"
    track_best_by_rrwm.unit = "share"
