package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;

/**
 * Reads and changes single settings in {@code hbase:quota}, in the format of {@link QuotaTarget}.
 * One caller at a time; calls wait for the network.
 */
public final class QuotaTable {
  private final Clock clock;
  private final WriterEpoch epoch;
  private long lastTimestamp;

  /**
   * Creates a view of the table.
   *
   * @param epoch the epoch of the master that writes; once the table's server knows of a higher
   *     one, it refuses the changes
   */
  public QuotaTable(Clock clock, long epoch) {
    this.clock = clock;
    this.epoch = WriterEpoch.of(epoch);
  }

  /** Returns settings; none, if there are none. */
  public Quotas read(RegionInfo region, NamespaceTable.Client client, QuotaTarget target)
      throws IOException {
    Optional<byte[]> value = value(region, client, target);
    return value.isEmpty()
        ? Quotas.getDefaultInstance()
        : Quotas.parseFrom(Messages.unprefixed(value.get(), target + " of " + QuotaTarget.TABLE));
  }

  /** Returns a setting that is one byte, {@code otherwise} if it is not there. */
  public boolean readFlag(
      RegionInfo region, NamespaceTable.Client client, QuotaTarget target, boolean otherwise)
      throws IOException {
    return value(region, client, target)
        .map(bytes -> bytes.length > 0 && bytes[0] != 0)
        .orElse(otherwise);
  }

  private Optional<byte[]> value(
      RegionInfo region, NamespaceTable.Client client, QuotaTarget target) throws IOException {
    byte[][] found = new byte[1][];
    new RegionRows(region, client::call)
        .read(
            List.of(Bytes.utf8(target.family())),
            row -> {
              for (CellProtos.Cell cell : row) {
                if (cell.getTimestamp() != Long.MAX_VALUE) {
                  lastTimestamp = Math.max(lastTimestamp, cell.getTimestamp());
                }
                if (cell.getRow().toStringUtf8().equals(target.row())
                    && cell.getQualifier().toStringUtf8().equals(target.qualifier())) {
                  found[0] = cell.getValue().toByteArray();
                }
              }
            });
    return Optional.ofNullable(found[0]);
  }

  /** Reads everything. */
  public QuotaContents readAll(RegionInfo region, NamespaceTable.Client client) throws IOException {
    QuotaContents contents = new QuotaContents();
    new RegionRows(region, client::call)
        .read(
            QuotaContents.families(),
            row -> {
              for (CellProtos.Cell cell : row) {
                if (cell.getTimestamp() != Long.MAX_VALUE) {
                  lastTimestamp = Math.max(lastTimestamp, cell.getTimestamp());
                }
                contents.take(
                    cell.getRow().toByteArray(),
                    cell.getFamily().toByteArray(),
                    cell.getQualifier().toByteArray(),
                    cell.getValue().toByteArray());
              }
            });
    return contents;
  }

  /** Writes values as they are stored, and removes those that are empty. */
  public void writeAll(
      RegionInfo region, NamespaceTable.Client client, Map<QuotaTarget, Optional<byte[]>> values)
      throws IOException {
    List<MutationProto> changes = new ArrayList<>();
    for (Map.Entry<QuotaTarget, Optional<byte[]>> one : values.entrySet()) {
      byte[] row = Bytes.utf8(one.getKey().row());
      byte[] family = Bytes.utf8(one.getKey().family());
      byte[] qualifier = Bytes.utf8(one.getKey().qualifier());
      Optional<byte[]> value = one.getValue();
      changes.add(
          epoch.mark(
              value.isPresent()
                  ? Mutations.put(
                      row, nextTimestamp(), new Mutations.Column(family, qualifier, value.get()))
                  : Mutations.deleteColumns(row, family, List.of(qualifier), nextTimestamp())));
    }
    new RegionRows(region, client::call).write(changes);
  }

  /** Writes settings, or removes them if they are empty. */
  public void write(
      RegionInfo region, NamespaceTable.Client client, QuotaTarget target, Optional<Quotas> quotas)
      throws IOException {
    byte[] row = Bytes.utf8(target.row());
    byte[] qualifier = Bytes.utf8(target.qualifier());
    new RegionRows(region, client::call)
        .write(
            List.of(
                epoch.mark(
                    quotas.isPresent()
                        ? Mutations.put(
                            row,
                            nextTimestamp(),
                            new Mutations.Column(
                                Bytes.utf8(target.family()),
                                qualifier,
                                Messages.prefixed(quotas.get())))
                        : Mutations.deleteColumns(
                            row,
                            Bytes.utf8(target.family()),
                            List.of(qualifier),
                            nextTimestamp()))));
  }

  /** Writes a setting that is one byte. */
  public void writeFlag(
      RegionInfo region, NamespaceTable.Client client, QuotaTarget target, boolean value)
      throws IOException {
    new RegionRows(region, client::call)
        .write(
            List.of(
                epoch.mark(
                    Mutations.put(
                        Bytes.utf8(target.row()),
                        nextTimestamp(),
                        new Mutations.Column(
                            Bytes.utf8(target.family()),
                            Bytes.utf8(target.qualifier()),
                            new byte[] {(byte) (value ? -1 : 0)})))));
  }

  private long nextTimestamp() {
    lastTimestamp = Math.max(lastTimestamp + 1, clock.currentTimeMillis());
    return lastTimestamp;
  }
}
