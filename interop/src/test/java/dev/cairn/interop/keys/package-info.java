/** The library for row keys with tables: filters, scans over buckets, and names with numbers. */
package dev.cairn.interop.keys;
