"""From a plan to finished runs: processes of this computer, their tasks and endings."""
