% gmtoolbox: graph matching from MATLAB and Octave
% Version 0.2.0 18-Nov-2026
%
% Functions
%   gm_accuracy      - Fraction of correctly matched nodes among those whose match is known.
%   gm_batch         - Solve many graph matching problems with many methods, several at a time.
%   gm_common_subgraph - Largest subgraph that two labelled graphs have in common.
%   gm_convert       - Convert a graph matching file to another format.
%   gm_edit_distance - Edit distance of two labelled graphs, with a proof.
%   gm_edit_distances - Edit distances between each two of many labelled graphs.
%   gm_evaluate      - Recall, precision and F1 of a matching whose truth is known.
%   gm_expand        - Write out the matrices of a graph matching problem: K, Ct and, of costs, the factors.
%   gm_find_subgraphs - Every place of a pattern in a labelled graph.
%   gm_graphs        - A graph matching problem from two graphs given by their adjacency matrices.
%   gm_last          - The best answer of the call that Ctrl-C ended.
%   gm_load          - Read a graph matching problem, or a result, from a file.
%   gm_methods       - List the methods that GM_SOLVE knows.
%   gm_plot          - Draw a matching, or how a method came to it.
%   gm_points        - A graph matching problem from two point sets.
%   gm_save          - Write a graph matching problem to a file.
%   gm_setup         - Put gmtoolbox on the path and start its Python process.
%   gm_solve         - Match two graphs: solve a graph matching problem.
%   gm_solve_many    - Solve many small graph matching problems with one method, quickly.
%   gm_solve_multi   - Match many graphs at once, consistently around every cycle.
%   gm_transform     - The study's transforms of a graph matching problem: _b, _bn, _bnz.
%   gm_verify        - Check an answer of GM_SOLVE by independent code.
%
% The wrappers of the study, one per method
%   wrapper_aj       - Solve a graph matching file with aj, printing the lines of the study's wrappers.
%   wrapper_auto     - Solve a graph matching file with auto, printing the lines of the study's wrappers.
%   wrapper_dd_ls0   - Solve a graph matching file with dd-ls0, printing the lines of the study's wrappers.
%   wrapper_dd_ls3   - Solve a graph matching file with dd-ls3, printing the lines of the study's wrappers.
%   wrapper_dd_ls4   - Solve a graph matching file with dd-ls4, printing the lines of the study's wrappers.
%   wrapper_faq      - Solve a graph matching file with faq, printing the lines of the study's wrappers.
%   wrapper_fgmd     - Solve a graph matching file with fgmd, printing the lines of the study's wrappers.
%   wrapper_fm       - Solve a graph matching file with fm, printing the lines of the study's wrappers.
%   wrapper_fm_bca   - Solve a graph matching file with fm-bca, printing the lines of the study's wrappers.
%   wrapper_fw       - Solve a graph matching file with fw, printing the lines of the study's wrappers.
%   wrapper_ga       - Solve a graph matching file with ga, printing the lines of the study's wrappers.
%   wrapper_hbp      - Solve a graph matching file with hbp, printing the lines of the study's wrappers.
%   wrapper_ilp      - Solve a graph matching file with ilp, printing the lines of the study's wrappers.
%   wrapper_ipfps    - Solve a graph matching file with ipfps, printing the lines of the study's wrappers.
%   wrapper_ipfpu    - Solve a graph matching file with ipfpu, printing the lines of the study's wrappers.
%   wrapper_lsm      - Solve a graph matching file with lsm, printing the lines of the study's wrappers.
%   wrapper_mp       - Solve a graph matching file with mp, printing the lines of the study's wrappers.
%   wrapper_mp_fw    - Solve a graph matching file with mp-fw, printing the lines of the study's wrappers.
%   wrapper_mp_mcf   - Solve a graph matching file with mp-mcf, printing the lines of the study's wrappers.
%   wrapper_mpm      - Solve a graph matching file with mpm, printing the lines of the study's wrappers.
%   wrapper_pm       - Solve a graph matching file with pm, printing the lines of the study's wrappers.
%   wrapper_rrwm     - Solve a graph matching file with rrwm, printing the lines of the study's wrappers.
%   wrapper_sm       - Solve a graph matching file with sm, printing the lines of the study's wrappers.
%   wrapper_smac     - Solve a graph matching file with smac, printing the lines of the study's wrappers.
