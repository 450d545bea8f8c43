package dev.cairn.bench.parts;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyValues;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Writes, reads and prints one row key of three parts, with and without a salt. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowKeys {
  /** The format of the key. */
  @Param({
    "host string, time timestamp desc, seq int",
    "salt(16), host string, time timestamp desc, seq int"
  })
  public String format;

  private final String host = "web1.example.com";
  private final Instant time = Instant.parse("2026-01-02T03:04:05Z");
  private final Integer seq = 1_000;
  private KeyFormat parsed;
  private byte[] key;

  /** Parses the format. */
  @Setup(Level.Trial)
  public void parse() {
    parsed = KeyFormat.parse(format);
    key = parsed.encode(host, time, seq);
  }

  /** Writes the key. */
  @Benchmark
  public byte[] encode() {
    return parsed.encode(host, time, seq);
  }

  /** Reads the key. */
  @Benchmark
  public KeyValues decode() {
    return parsed.decode(key);
  }

  /** Prints the key. */
  @Benchmark
  public String print() {
    return parsed.print(key);
  }
}
