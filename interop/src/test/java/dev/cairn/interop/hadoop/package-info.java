/** Cairn's storage on Hadoop's file systems, held to the contract of every storage. */
package dev.cairn.interop.hadoop;
