/**
 * MapReduce programs on tables, one for each kind that HBase's guide names, on the demo's webtable.
 * They use Apache's classes alone and run on HBase as well. {@link dev.cairn.examples.Examples}
 * lists them.
 */
package dev.cairn.examples;
