"""Proofs that a rewrite of gathers and scatters keeps what the function means, by Z3."""
