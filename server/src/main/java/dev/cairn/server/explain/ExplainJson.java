package dev.cairn.server.explain;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.explain.ExplainedCell;
import dev.cairn.engine.explain.ExplainedCell.HiddenBy;
import dev.cairn.engine.explain.Explanation.ExplainedRow;
import dev.cairn.engine.explain.ScanReport;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.IndexReport;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.json.JsonText;
import java.io.IOException;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Writes explanations as JSON objects. Rows, columns and values are in the printed form of HBase's
 * tools ({@code \x00} for what is no character); times are milliseconds since 1970; what is unknown
 * is left out.
 */
final class ExplainJson {
  private ExplainJson() {}

  /** Returns the explanation of a row. */
  static byte[] row(ExplainedRow row) {
    return object(
        json -> {
          json.name("row").value(text(row.row()));
          json.name("read").value(row.read());
          json.name("cells").beginArray();
          for (ExplainedCell cell : row.cells()) {
            cell(json, cell);
          }
          json.endArray();
          json.name("counts").beginObject();
          for (CellOutcome fate : CellOutcome.values()) {
            count(json, fate.name(), row.counts().getOrDefault(fate, 0L));
          }
          json.endObject();
        });
  }

  /**
   * Returns the sources of the read, and the reads so far.
   *
   * @param hooked whether the region has coprocessors
   */
  static byte[] report(RegionInfo region, boolean hooked, ScanReport report) {
    return object(
        json -> {
          json.name("region").value(region.regionNameAsString());
          json.name("readPoint").value(report.readPoint());
          json.name("now").value(report.nowMillis());
          json.name("families").beginArray();
          for (ScanReport.Family family : report.families()) {
            family(json, family);
          }
          json.endArray();
          statistics(json, report.statistics());
          json.name("nanos").value(report.nanos());
          if (hooked) {
            json.name("coprocessors").value(true);
          }
          if (report.hookNanos() > 0) {
            json.name("hookNanos").value(report.hookNanos());
          }
          json.name("filterEnded").value(report.filterEnded());
          json.name("rowsNotListed").value(report.rowsNotListed());
          if (report.index().isPresent()) {
            json.name("index");
            index(json, report.index().get());
          }
        });
  }

  private static void cell(JsonWriter json, ExplainedCell cell) throws IOException {
    json.beginObject();
    json.name("family").value(text(cell.family()));
    json.name("qualifier").value(text(cell.qualifier()));
    json.name("timestamp").value(cell.timestamp());
    json.name("type").value(type(cell.type()));
    json.name("sequence").value(cell.sequence());
    json.name("value").value(text(cell.value()));
    json.name("valueLength").value(cell.valueLength());
    if (cell.mobFile().isPresent()) {
      json.name("mobFile").value(cell.mobFile().get());
    }
    json.name("source").value(cell.source());
    json.name("fate").value(cell.fate().name());
    if (cell.culprit().isPresent()) {
      HiddenBy culprit = cell.culprit().get();
      json.name("by").beginObject();
      json.name("type").value(type(culprit.type()));
      json.name("timestamp").value(culprit.timestamp());
      json.name("sequence").value(culprit.sequence());
      json.name("source").value(culprit.source());
      json.endObject();
    }
    if (cell.expiresMillis().isPresent()) {
      json.name("expires").value(cell.expiresMillis().getAsLong());
    }
    json.endObject();
  }

  private static void family(JsonWriter json, ScanReport.Family family) throws IOException {
    FamilySchema schema = family.schema();
    json.beginObject();
    json.name("name").value(schema.nameAsString());
    json.name("versions").value(schema.maxVersions());
    json.name("minVersions").value(schema.minVersions());
    if (schema.timeToLiveMillis() != FamilySchema.FOREVER_MILLIS) {
      json.name("ttlMillis").value(schema.timeToLiveMillis());
    }
    json.name("keepDeletedCells").value(schema.keepDeletedCells().name());
    json.name("newVersionBehavior").value(schema.newVersionBehavior());
    json.name("sources").beginArray();
    for (ScanReport.Source source : family.sources()) {
      source(json, source);
    }
    json.endArray();
    json.endObject();
  }

  private static void source(JsonWriter json, ScanReport.Source source) throws IOException {
    json.beginObject();
    if (source.facts().inMemory()) {
      json.name("memstore").value(source.facts().frozen() ? "flushing" : "active");
    } else {
      json.name("file").value(source.facts().name());
    }
    json.name("cells").value(source.facts().cells());
    json.name("bytes").value(source.facts().bytes());
    if (source.facts().cells() > 0) {
      json.name("minTimestamp").value(source.facts().minTimestamp());
      json.name("maxTimestamp").value(source.facts().maxTimestamp());
    }
    rowName(json, "firstRow", source.facts().firstRow());
    rowName(json, "lastRow", source.facts().lastRow());
    json.name("bloom").value(source.facts().bloom());
    json.name("use").value(source.use().name());
    reads(json, source.figures());
    json.endObject();
  }

  private static void index(JsonWriter json, IndexReport index) throws IOException {
    json.beginObject();
    json.name("condition").value(index.condition().toString());
    if (index.rows().isPresent()) {
      json.name("rows").value(index.rows().get());
    }
    json.name("reasons").beginArray();
    for (String reason : index.reasons()) {
      json.value(reason);
    }
    json.endArray();
    json.name("skipsRegion").value(index.skipsRegion());
    json.name("sources").beginArray();
    for (IndexReport.Source source : index.sources()) {
      json.beginObject();
      json.name("column").value(source.column());
      if (!source.name().isEmpty()) {
        json.name("file").value(source.name());
      }
      json.name("use").value(source.use().name());
      if (source.use() == IndexReport.Use.SEARCHED) {
        json.name("entries").value(source.entries());
      }
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }

  private static void statistics(JsonWriter json, ScanStatistics statistics) throws IOException {
    json.name("rowsScanned").value(statistics.rowsScanned());
    json.name("rowsFiltered").value(statistics.rowsFiltered());
    json.name("seeks").value(statistics.seeks());
    json.name("cellsLookedAt").value(statistics.cells());
    reads(json, statistics.reads());
  }

  private static void reads(JsonWriter json, ReadMetrics reads) throws IOException {
    json.name("blocksFromCache").value(reads.cachedBlocks());
    json.name("bytesFromCache").value(reads.cachedBytes());
    json.name("blocksFromDisk").value(reads.diskBlocks());
    json.name("bytesFromDisk").value(reads.diskBytes());
    json.name("diskNanos").value(reads.diskNanos());
    json.name("blockBytesLookedAt").value(reads.blockBytesLookedAt());
    json.name("memoryBytesLookedAt").value(reads.memoryBytesLookedAt());
  }

  private static void rowName(JsonWriter json, String name, Optional<byte[]> row)
      throws IOException {
    if (row.isPresent()) {
      json.name(name).value(text(row.get()));
    }
  }

  private static void count(JsonWriter json, String name, long count) throws IOException {
    if (count > 0) {
      json.name(name).value(count);
    }
  }

  private static String text(byte[] bytes) {
    return Bytes.toStringBinary(bytes, 0, bytes.length);
  }

  private static String type(int code) {
    return switch (code) {
      case 4 -> "Put";
      case 8 -> "Delete";
      case 10 -> "DeleteFamilyVersion";
      case 12 -> "DeleteColumn";
      case 14 -> "DeleteFamily";
      default -> "Unknown(" + code + ")";
    };
  }

  private static byte[] object(JsonText.Content body) {
    return Bytes.utf8(
        JsonText.of(
            json -> {
              json.beginObject();
              body.write(json);
              json.endObject();
            }));
  }
}
