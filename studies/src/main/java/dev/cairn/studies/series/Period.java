package dev.cairn.studies.series;

import java.time.Instant;
import java.util.Optional;

/**
 * Asks for samples, in the order of host and time.
 *
 * @param host empty for all hosts
 * @param from the first time
 * @param to after the last time
 */
record Period(Optional<String> host, Instant from, Instant to) {
  /** Tells whether a sample is asked for. */
  boolean contains(Sample sample) {
    return host.filter(name -> !name.equals(sample.host())).isEmpty()
        && !sample.time().isBefore(from)
        && sample.time().isBefore(to);
  }
}
