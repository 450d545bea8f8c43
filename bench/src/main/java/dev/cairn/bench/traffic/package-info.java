/** Measures what the recording of traffic adds to a call. */
package dev.cairn.bench.traffic;
