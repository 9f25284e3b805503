"""Print the answer of every method on small synthetic problems, one line each.

Kernels must give the same answers on every machine: scripts/try_wheel_under_qemu compares these
lines, made here and there.
"""

import warnings

import gmtoolbox as gm

SHAPES = ("car", "worms", "flow")


def main():
    warnings.simplefilter("ignore")
    for shape in SHAPES:
        problem = gm.synth.generate(shape, 0, 8)
        for method in gm.gm_methods():
            result = gm.gm_solve(problem, method.name, seed=0)
            labels = " ".join(map(str, result.labels))
            print(f"{shape} {method.name}: {result.value:.9g} {result.bound:.6g} [{labels}]")


if __name__ == "__main__":
    main()
