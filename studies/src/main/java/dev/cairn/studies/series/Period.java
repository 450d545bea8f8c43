package dev.cairn.studies.series;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks for samples, in the order of host and time.
 *
 * @param host empty for all hosts
 * @param from the first time
 * @param to after the last time
 * @param latest how many of a host's samples, the latest ones; 0 for all
 */
record Period(Optional<String> host, Instant from, Instant to, int latest) {
  /** Tells whether a sample is in the time, and of the host. */
  boolean contains(Sample sample) {
    return host.filter(name -> !name.equals(sample.host())).isEmpty()
        && !sample.time().isBefore(from)
        && sample.time().isBefore(to);
  }

  /** Returns the samples that are asked for, of all in the time and of the host. */
  List<Sample> sorted(Stream<Sample> samples) {
    List<Sample> sorted = samples.sorted(Sample.ORDER).toList();
    return latest == 0 || sorted.size() <= latest
        ? sorted
        : sorted.subList(sorted.size() - latest, sorted.size());
  }
}
