package dev.cairn.coprocessor.measure;

import dev.cairn.server.regionserver.hooked.HookTimes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Measures the hooks of one class in one region. Thread-safe. */
public final class ClassMeter {
  private final RegionMeter region;
  private final String className;
  private final ConcurrentMap<String, HookTimes.Counter> counters = new ConcurrentHashMap<>();

  ClassMeter(RegionMeter region, String className) {
    this.region = region;
    this.className = className;
  }

  RegionMeter region() {
    return region;
  }

  String className() {
    return className;
  }

  HookTimes.Counter counter(String hook) {
    HookTimes.Counter known = counters.get(hook);
    return known != null
        ? known
        : counters.computeIfAbsent(
            hook, name -> region.times().counter(region.table(), className, name));
  }
}
