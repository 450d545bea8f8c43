/** The metrics of a server that clients use, and the list of Apache HBase's metrics. */
package dev.cairn.interop.metrics;
