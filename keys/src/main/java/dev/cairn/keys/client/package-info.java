/**
 * Key formats with HBase's client, of any version from 2.0: filters from patterns, scans over all
 * buckets of salted keys, and a table of names and their numbers.
 */
package dev.cairn.keys.client;
