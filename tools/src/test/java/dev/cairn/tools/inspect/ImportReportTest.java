package dev.cairn.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.exchange.ImportReport.Finding;
import dev.cairn.server.exchange.ImportReport.Log;
import dev.cairn.server.exchange.ImportReport.LogKind;
import dev.cairn.server.exchange.ImportReport.Severity;
import dev.cairn.server.exchange.ImportReport.Snapshot;
import dev.cairn.server.exchange.ImportReport.Table;
import dev.cairn.server.exchange.ImportReport.UnfinishedProcedure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class ImportReportTest {
  private static final Table TABLE =
      new Table(
          TableName.parse("ns:t"),
          Optional.of(TableState.State.ENABLED),
          3,
          1,
          10,
          5 << 20,
          2,
          0,
          0,
          new TreeMap<>(java.util.Map.of("3.3", 8)),
          new TreeSet<>(List.of("NONE", "SNAPPY")),
          new TreeSet<>(List.of("FAST_DIFF")));

  private final ImportReport report =
      new ImportReport(
          Optional.of("8"),
          Optional.empty(),
          List.of("default", "ns"),
          List.of(TABLE),
          List.of(new Log("WALs/s/l.1", LogKind.REGION_SERVER, 2048, true, false)),
          List.of(new Snapshot("snap", Optional.of(TableName.parse("ns:t")))),
          List.of(new UnfinishedProcedure(7, "SplitTableRegionProcedure", "WAITING")),
          List.of(
              new Finding(
                  Severity.TABLE_REFUSED, "ns:m", "family f is MOB", "the table is not opened")));

  @Test
  void aPersonReadsTablesLogsFindingsAndTheVerdict() {
    StringWriter text = new StringWriter();
    new ImportReportText(report, new PrintWriter(text, true)).print();

    assertThat(text.toString())
        .contains("none (no hbase.id)")
        .contains(
            "  ns:t   enabled  3 (1 split)  10 (2 references)  5.0 MiB  3.3    NONE, SNAPPY"
                + "  FAST_DIFF\n")
        .contains("Logs to replay: 1, 2.0 KiB")
        .contains("  WALs/s/l.1  region server  2.0 KiB  compressed\n")
        .contains("snap of ns:t")
        .contains("7 SplitTableRegionProcedure (WAITING)")
        .contains("  ns:m: family f is MOB\n    the table is not opened\n")
        .endsWith("Cairn will open this folder, but not carry everything over.\n");
  }

  @Test
  void aProgramReadsTheSameAsJson() throws IOException {
    StringWriter text = new StringWriter();
    ImportReportJson.print(report, new PrintWriter(text, true));

    JsonObject json = JsonParser.parseString(text.toString()).getAsJsonObject();
    assertThat(json.get("opens").getAsBoolean()).isTrue();
    assertThat(json.get("carriesEverything").getAsBoolean()).isFalse();
    assertThat(json.get("clusterId").isJsonNull()).isTrue();
    JsonObject table = json.getAsJsonArray("tables").get(0).getAsJsonObject();
    assertThat(table.get("storeFileBytes").getAsLong()).isEqualTo(5 << 20);
    assertThat(table.getAsJsonObject("fileVersions").get("3.3").getAsInt()).isEqualTo(8);
    assertThat(json.getAsJsonArray("findings").get(0).getAsJsonObject().get("where").getAsString())
        .isEqualTo("ns:m");
  }
}
