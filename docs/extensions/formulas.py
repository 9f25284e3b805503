"""What each method optimises or repeats, in LaTeX: the part that a docstring cannot draw.

W = -K are affinities, c and d the costs of docs/methods.md, M the matchings, conv M their convex
hull.
"""

SM = r"""
$$
x^{*} = \arg\max_{|x| = 1} x^\top W x , \qquad x \leftarrow \frac{W x}{|W x|} .
$$

The power method finds the leading eigenvector; Sinkhorn sweeps make it doubly stochastic, and a
linear assignment rounds it.
"""

SMAC = r"""
$$
\max_x \; \frac{x^\top W x}{x^\top x} \quad \text{with} \quad C x = b .
$$

The affine constraints say that all rows and columns have the same sum; the answer is an
eigenvector of $P W P$ with the projector $P$ on them.
"""

RRWM = r"""
$$
q = \bar W \left( c \, s + (1 - c) \, a \right), \qquad a =
\frac{\mathrm{Sinkhorn}\left(\exp(\beta \, q / \max q)\right)}{\text{sum}}, \qquad s \leftarrow
q .
$$

A random walk on the graph of all pairs jumps, with weight $1 - c$, to a state that is nearly
one-to-one.
"""

IPFP = r"""
$$
y = \arg\max_{y \in M} \; y^\top W x, \qquad x \leftarrow x + t \, (y - x), \qquad t =
\min\left(1, \; -\frac{x^\top W (y - x)}{(y - x)^\top W (y - x)}\right) .
$$

Each step solves a linear assignment; the best corner $y$ is the answer.
"""

GA = r"""
$$
X \leftarrow \mathrm{Sinkhorn}\left(\exp(b \, W x)\right), \qquad b \leftarrow b_{step} \, b .
$$

At a low $b$ the assignment is soft; as $b$ grows it becomes a permutation.
"""

PM = r"""
$$
\min_{F} \; \sum_{i,s} F_{is} \log \frac{F_{is}}{Y_{is}} \quad \text{with} \quad \sum_s F_{is}
\le 1, \; \sum_i F_{is} \le 1, \; \sum_{i,s} F_{is} = n .
$$

$Y_{is}$ is the sum of all affinities at the pair: the marginal of a probabilistic model.
"""

MPM = r"""
$$
q_{is} = \sum_{j \ne i} \left( \max_{l} \; W_{is,jl} \, s_{jl} \right)^2, \qquad s \leftarrow
\frac{q}{|q|} .
$$

Of every other node only its best label supports a pair, so outliers disturb little.
"""

LSM = r"""
$$
\max_x \; x^\top W x \quad \text{with} \quad \sum_s \Big( \sum_i x_{is} \Big)^2 = 1, \qquad
x_{is} \leftarrow x_{is} \sqrt{\frac{(W x)_{is}}{\lambda \sum_j x_{js}}}, \quad \lambda = x^\top
W x .
$$
"""

FGMD = r"""
$$
\max_X \; \mathrm{sum}(K_P \circ X) + x^\top W x + \left(\alpha - \tfrac{1}{2}\right)
\mathrm{tr}(A X X^\top), \qquad \alpha = 0, \, 0.01, \dots, 1 .
$$

The path leads from one relaxation to the other, each solved from the last one's answer. The
factors $W \sim (G, H, K_P, K_Q)$ keep it small.
"""

FW = r"""
$$
y = \arg\min_{y \in M} \; \langle \nabla f(x), y \rangle, \qquad x \leftarrow x + t \, (y - x),
\qquad t = \arg\min_{0 \le t \le 1} f(x + t (y - x)) .
$$

$f(x) = c^\top x + x^\top D x$ over the convex hull of the matchings: Lawler's form.
"""

FAQ = r"""
$$
f(X) = \langle C, X \rangle + \langle A X B^\top, X \rangle, \qquad \nabla f(X) = C + A X B^\top
+ A^\top X B .
$$

Frank-Wolfe as in `fw`, on the two matrices alone.
"""

FM = r"""
$$
\min_{z \in \{0,1\}^V} \; E\left( (1 - z) \circ x + z \circ y \right) \quad \text{so that the
result is a matching.}
$$

Each node keeps its label ($z_i = 0$) or takes that of the proposal $y$: a quadratic problem in
zeros and ones, solved by max-flow (QPBO).
"""

FM_BCA = (
    FM
    + r"""
The proposals come from costs that dual ascent has rearranged; its dual is the bound:

$$
\max_{\varphi} \; \sum_{i} \min_s c^{\varphi}_i(s) + \sum_{ij} \min_{s,l} d^{\varphi}_{ij}(s, l)
+ \sum_{s} \min_i u^{\varphi}_s(i) .
$$
"""
)

MP = r"""
$$
\max_{\varphi} \; \min_{x \in M} \sum_{i,s} \Big( c_{is} + \sum_{j} \varphi_{ij}(s) \Big) x_{is}
+ \sum_{ij} \min_{s,l} \left( d_{is,jl} - \varphi_{ij}(s) - \varphi_{ji}(l) \right) .
$$

The first term is a linear assignment, solved exactly; messages $\varphi$ move costs between it
and the pairs.
"""

DD_LS = r"""
$$
\max_{\theta^1 + \dots + \theta^m = \theta} \; \sum_{k} \min_{x^k} \langle \theta^k, x^k \rangle .
$$

The subproblems $k$ are a linear assignment, forests of both graphs, and small sets of nodes;
supergradients make them agree.
"""

HBP = r"""
$$
\max_x \; \sum_{i} b_i(x_i) + \sum_{ij} b_{ij}(x_i, x_j) \quad \text{over matchings } x ,
$$

bounded by the sum of the maxima of the beliefs $b$ after message passing and a Hungarian step,
inside a best-first search.
"""

ILP = r"""
$$
\min \; \sum_{i,s} c_{is} x_{is} + \sum_{is,jl} d_{is,jl} \, x_{is,jl}, \qquad \sum_{l}
x_{is,jl} = x_{is}, \quad \sum_{s} x_{is,jl} = x_{jl}, \quad x \in \{0, 1\} .
$$

With dummies for nodes that may stay unmatched.
"""

AJ = (
    ILP
    + r"""
`aj` bounds the linear relaxation in which both sides hold these equations (Adams and Johnson),
and branches where a gap remains.
"""
)

FORMULAS = {
    "sm": SM,
    "smac": SMAC,
    "rrwm": RRWM,
    "ipfpu": IPFP,
    "ipfps": IPFP,
    "ga": GA,
    "pm": PM,
    "mpm": MPM,
    "lsm": LSM,
    "fgmd": FGMD,
    "fw": FW,
    "faq": FAQ,
    "fm": FM,
    "fm-bca": FM_BCA,
    "mp": MP,
    "mp-mcf": MP,
    "mp-fw": MP,
    "dd-ls0": DD_LS,
    "dd-ls3": DD_LS,
    "dd-ls4": DD_LS,
    "hbp": HBP,
    "ilp": ILP,
    "aj": AJ,
    "auto": AJ,
}
