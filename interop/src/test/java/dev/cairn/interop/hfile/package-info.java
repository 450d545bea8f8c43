/**
 * Store files of every shape, written by Cairn and read by Apache HBase's own reader, and the other
 * way round. Beside the file lies nothing but a sorted list of its cells: both readers are held
 * against that, and against each other.
 */
package dev.cairn.interop.hfile;
