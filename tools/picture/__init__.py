"""`gs-opt --gs-picture`: what ops read and write where, and what passes make of them."""
