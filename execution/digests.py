"""Digests of texts, by which what is kept on the disk is found."""

import struct

try:
    # Without OpenSSL, which takes longer to load than a kernel.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def checksum(*parts: bytes) -> bytes:
    """32 bytes that other parts do not have."""
    found = blake2b(digest_size=32)
    for part in parts:
        found.update(struct.pack("<Q", len(part)) + part)
    return found.digest()


def digest(*parts: str) -> str:
    """A name that other parts do not have."""
    return checksum(*(part.encode(errors="surrogateescape") for part in parts)).hex()
