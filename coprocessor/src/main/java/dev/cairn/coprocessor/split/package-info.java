/** Runs users' split policies of HBase's API, on views of the region. */
package dev.cairn.coprocessor.split;
