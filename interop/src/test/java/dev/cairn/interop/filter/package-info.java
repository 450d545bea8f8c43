/**
 * Filters, asked of two servers: every stock filter and random trees of them, over the same data on
 * Cairn and on Apache HBase itself, must give the same answer, be it results or an exception. The
 * servers and the data are a {@link dev.cairn.interop.filter.TwoServers}; what is read, and how,
 * are {@link dev.cairn.interop.filter.FilterCases} and {@link dev.cairn.interop.filter.Reads}.
 */
package dev.cairn.interop.filter;
