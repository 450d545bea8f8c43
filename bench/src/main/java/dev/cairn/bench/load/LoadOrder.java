package dev.cairn.bench.load;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** An order to a {@link LoadProcess}, one JSON object a line. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LoadOrder.Connect.class, name = "connect"),
  @JsonSubTypes.Type(value = LoadOrder.Prepare.class, name = "prepare"),
  @JsonSubTypes.Type(value = LoadOrder.WarmUp.class, name = "warm-up"),
  @JsonSubTypes.Type(value = LoadOrder.Run.class, name = "run"),
  @JsonSubTypes.Type(value = LoadOrder.Settle.class, name = "settle")
})
public sealed interface LoadOrder {
  /**
   * Connect to a server that may still be starting, and use it: make a table, put a row and get it.
   *
   * @param site the client's {@code hbase-site.xml}
   * @param keepsData whether the server keeps tables and rows; if not, the first answer is that it
   *     listens
   */
  record Connect(String site, boolean keepsData) implements LoadOrder {}

  /** {@link LoadDriver#prepare}. */
  record Prepare(Workload workload) implements LoadOrder {}

  /** {@link LoadDriver#warmUp}. */
  record WarmUp(Workload workload, double seconds) implements LoadOrder {}

  /** {@link LoadDriver#run}. */
  record Run(Workload workload, Pace pace) implements LoadOrder {}

  /** {@link LoadDriver#settle}. */
  record Settle(Workload workload) implements LoadOrder {}
}
