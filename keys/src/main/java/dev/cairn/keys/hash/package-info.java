/**
 * Hash functions that spread keys: Murmur3, xxHash and MD5, with the results that the common
 * libraries give. Bytes enter; a hash of fixed length leaves.
 */
package dev.cairn.keys.hash;
