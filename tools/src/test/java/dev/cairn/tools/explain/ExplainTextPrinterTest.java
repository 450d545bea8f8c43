package dev.cairn.tools.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.keys.KeyDisplay;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class ExplainTextPrinterTest {
  private final StringWriter out = new StringWriter();
  private KeyDisplay keys = KeyDisplay.BYTES;
  private final ExplainTextPrinter printer = new ExplainTextPrinter(new PrintWriter(out));

  @Test
  void theRowThatEndsTheScanIsCountedAsLookedAt() {
    // A filter that ends the scan by the key of a row: HBase's counters have the row as filtered
    // only.
    explain("'rowsScanned': 1, 'rowsFiltered': 1, 'filterEnded': true");

    assertThat(out.toString())
        .contains("Rows looked at: 2, of which 1 gave nothing.")
        .doesNotContain("coprocessors");
  }

  @Test
  void hooksThatWereNotCalledAreNamed() {
    explain("'rowsScanned': 2, 'rowsFiltered': 1, 'filterEnded': false, 'coprocessors': true");

    assertThat(out.toString())
        .contains("The region has coprocessors. Hooks of calls (preScannerNext, postScannerNext)");
  }

  @Test
  void aKeyIsShownWithItsPartsAndAMalformedFormatIsNamed() {
    keys = KeyDisplay.of(Optional.of("host strnig"));
    explain("'rowsScanned': 2, 'rowsFiltered': 1, 'filterEnded': false");

    assertThat(out.toString())
        .startsWith("Warning: KEY_FORMAT is malformed, so row keys are shown as bytes: position 5")
        .contains("Row b {host=\"b\"}: 0 of 1 cell returned");
  }

  private void explain(String figures) {
    String report =
        """
        {'region': 't,,1.', 'readPoint': 3, 'now': 0, 'families': [], 'cellsLookedAt': 2, 'seeks': 1,
         'blocksFromCache': 0, 'blocksFromDisk': 0, 'bytesFromDisk': 0, 'diskNanos': 0, 'nanos': 0,
         'rowsNotListed': true, %s}"""
            .formatted(figures);
    printer.question(
        new ExplainQuestion(
            TableName.valueOf("t"), Optional.empty(), new Scan(), 10, 10, Optional.empty()),
        keys);
    printer.region(json(report), "localhost,1,1");
    printer.row(json("{'row': 'a', 'read': true, 'cells': [], 'counts': {'RETURNED': 1}}"));
    printer.row(
        json(
            "{'row': 'b', 'key': 'host=\"b\"', 'read': true, 'cells': [], 'counts': {'FILTERED_ROW_KEY': 1}}"));
    printer.row(json("{'row': 'c', 'read': false, 'cells': [], 'counts': {'NOT_READ': 1}}"));
    printer.regionEnds(json(report));
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject(); // it accepts single quotes
  }
}
