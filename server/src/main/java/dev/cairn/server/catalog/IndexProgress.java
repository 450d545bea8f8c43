package dev.cairn.server.catalog;

import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.index.TableIndexes.Column;
import dev.cairn.engine.index.TableIndexes.Index;
import dev.cairn.engine.region.IndexBuild;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * How much of an index exists in the regions of its table. Region servers report it in a field of
 * {@link RegionLoad} that HBase does not have, and that HBase's clients ignore.
 *
 * <p>Each index is one value of the field: its name, its columns, the number of files, the number
 * of files that have it, and perhaps why the last attempt to build it failed.
 *
 * @param name the index's name
 * @param columns its columns, {@code FAMILY:QUALIFIER}
 * @param regions the number of regions of the table
 * @param completeRegions the number of regions that are open and whose files all have the index
 * @param files the number of store files that should have it, in the regions that are open
 * @param indexedFiles the number of these files that have it
 * @param problem why the last attempt to build it failed in some region, one sentence
 */
public record IndexProgress(
    String name,
    List<String> columns,
    int regions,
    int completeRegions,
    long files,
    long indexedFiles,
    Optional<String> problem) {
  /** The number of the field. {@code LoadTotals} has fields of the same message. */
  private static final int FIELD = 1004;

  /** What an administrator has to know about an index. */
  public enum State {
    /** All regions have it. */
    READY,
    /** Compactions build it. */
    BUILDING,
    /** No compaction will build it: the table is disabled, or its compactions are. */
    PAUSED
  }

  /** What one region reports of an index. */
  private record Report(
      String name, String columns, int files, int indexedFiles, Optional<String> problem) {}

  /** Adds the state of a region's indexes to its message, after all other fields. */
  public static void write(RegionLoad.Builder load, List<IndexBuild> builds) {
    if (builds.isEmpty()) {
      return;
    }
    UnknownFieldSet.Field.Builder values = UnknownFieldSet.Field.newBuilder();
    builds.forEach(build -> values.addLengthDelimited(encode(build)));
    load.mergeUnknownFields(UnknownFieldSet.newBuilder().addField(FIELD, values.build()).build());
  }

  private static ByteString encode(IndexBuild build) {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeStringNoTag(build.index().name());
      out.writeStringNoTag(String.join(", ", columns(build.index())));
      out.writeUInt32NoTag(build.files());
      out.writeUInt32NoTag(build.indexedFiles());
      if (build.problem().isPresent()) {
        out.writeStringNoTag(build.problem().get());
      }
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("Memory cannot be written", e);
    }
    return bytes.toByteString();
  }

  /**
   * Adds up the reports of a table's regions, for each of its indexes. A region that is not open,
   * or whose report is about other columns because it is older than the index, is not complete.
   *
   * @param regions the last report of each region of the table; empty for one without a report
   * @throws IllegalArgumentException if a report is malformed
   */
  public static List<IndexProgress> of(
      TableIndexes indexes, Collection<Optional<RegionLoad>> regions) {
    return indexes.all().stream().map(index -> of(index, regions)).toList();
  }

  /**
   * As {@link #of}, for a table that is known by its attributes.
   *
   * @param families the names of its families
   * @throws IllegalArgumentException also if an index is malformed
   */
  public static List<IndexProgress> ofTable(
      Map<String, String> attributes,
      Collection<byte[]> families,
      Collection<Optional<RegionLoad>> regions) {
    return of(TableIndexes.of(attributes, families), regions);
  }

  private static IndexProgress of(Index index, Collection<Optional<RegionLoad>> regions) {
    int complete = 0;
    long files = 0;
    long indexed = 0;
    Optional<String> problem = Optional.empty();
    String columns = String.join(", ", columns(index));
    for (Optional<RegionLoad> region : regions) {
      Optional<Report> report = region.flatMap(load -> find(load, index));
      if (report.isPresent() && report.get().columns().equals(columns)) {
        complete += report.get().indexedFiles() == report.get().files() ? 1 : 0;
        files += report.get().files();
        indexed += report.get().indexedFiles();
        problem = problem.or(report.get()::problem);
      }
    }
    return new IndexProgress(
        index.name(), columns(index), regions.size(), complete, files, indexed, problem);
  }

  private static Optional<Report> find(RegionLoad load, Index index) {
    return load.getUnknownFields().getField(FIELD).getLengthDelimitedList().stream()
        .map(IndexProgress::decode)
        .filter(report -> report.name().equals(index.name()))
        .findFirst();
  }

  private static Report decode(ByteString value) {
    CodedInputStream in = value.newCodedInput();
    try {
      return new Report(
          in.readString(),
          in.readString(),
          in.readUInt32(),
          in.readUInt32(),
          in.isAtEnd() ? Optional.empty() : Optional.of(in.readString()));
    } catch (IOException e) {
      throw new IllegalArgumentException("The report of an index is malformed", e);
    }
  }

  private static List<String> columns(Index index) {
    return index.columns().stream().map(Column::toString).toList();
  }

  /**
   * Returns the state.
   *
   * @param mayCompact whether the table is enabled, and its compactions are
   */
  public State state(boolean mayCompact) {
    if (completeRegions == regions) {
      return State.READY;
    }
    return mayCompact ? State.BUILDING : State.PAUSED;
  }
}
