package dev.cairn.server.traffic.heatmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.keys.KeyDisplay;
import dev.cairn.server.traffic.heatmap.HeatMap.Query;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A heat map as JSON, CSV and PNG. */
class HeatMapOutputTest {
  private static final long MINUTE = HeatStep.FINE_MILLIS;

  private final HeatRecorder recorder = new HeatRecorder("a,1", Optional.empty());

  @BeforeEach
  void record() {
    byte[] at = Bytes.utf8("m");
    recorder.regions(
        List.of(
            new HeatRecorder.OpenRegion("t", "r1", Bytes.EMPTY, at),
            new HeatRecorder.OpenRegion("t", "r2", at, Bytes.EMPTY)),
        0);
    recorder.add("t", Bytes.utf8("=a\""), new double[] {10, 0, 0, 0, 0, 0}, 0);
    recorder.add("t", new byte[] {'z', (byte) 0xff}, new double[] {1_000, 0, 0, 0, 0, 0}, MINUTE);
  }

  private HeatMap map() {
    return HeatMap.of(
        new Query("t", TrafficMetric.READS, 0, 2 * MINUTE, Bytes.EMPTY, Bytes.EMPTY, 16, 10),
        List.of(recorder.recording()));
  }

  @Test
  void jsonHasKeysAsTextAndHexWithBordersAndEvents() {
    JsonObject json =
        JsonParser.parseString(HeatMapText.json("t", map(), KeyDisplay.BYTES)).getAsJsonObject();
    assertThat(json.get("total").getAsDouble()).isEqualTo(1_010);
    assertThat(json.get("borders").getAsJsonArray().get(0).getAsString()).isEqualTo("m");
    assertThat(json.get("keysHex").toString()).contains("\"7aff\"");
    assertThat(json.get("keys").toString()).contains("z\\\\xFF");
    assertThat(json.get("events").getAsJsonArray()).hasSize(2);
    assertThat(json.get("events").toString()).contains("\"newBorder\":false");
    assertThat(json.get("values").getAsJsonArray()).hasSize(2);
    assertThat(json.get("values").getAsJsonArray().get(0).getAsJsonArray())
        .hasSameSizeAs(json.get("keys").getAsJsonArray());
  }

  @Test
  void jsonHasThePartsOfKeysByTheFormatOfTheTable() {
    KeyDisplay display = KeyDisplay.of(Optional.of("name string"));
    JsonObject json =
        JsonParser.parseString(HeatMapText.json("t", map(), display)).getAsJsonObject();
    JsonArray keys = json.getAsJsonArray("keys");
    JsonArray parts = json.getAsJsonArray("parts");
    assertThat(parts).hasSameSizeAs(keys);
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i).getAsString();
      if (key.isEmpty() || key.contains("\\xFF")) { // The start, and what is not UTF-8.
        assertThat(parts.get(i).isJsonNull()).as(key).isTrue();
      } else if (key.equals("m")) {
        assertThat(parts.get(i).getAsString()).isEqualTo("name=\"m\"");
      }
    }
    assertThat(keys.toString()).contains("\"m\"");
    assertThat(json.has("keyProblem")).isFalse();

    recorder.add(
        "t", Bytes.utf8("x".repeat(60)), new double[] {9_999, 0, 0, 0, 0, 0}, MINUTE); // is cut
    display = KeyDisplay.of(Optional.of("kind string(1), name string"));
    json = JsonParser.parseString(HeatMapText.json("t", map(), display)).getAsJsonObject();
    assertThat(json.getAsJsonArray("parts").toString()).contains("\"kind=\\\"x\\\" …\"");

    display = KeyDisplay.of(Optional.of("name"));
    json = JsonParser.parseString(HeatMapText.json("t", map(), display)).getAsJsonObject();
    assertThat(json.has("parts")).isFalse();
    assertThat(json.get("keyProblem").getAsString()).startsWith("KEY_FORMAT is malformed");
  }

  @Test
  void csvQuotesKeysAndHoldsNoFormulas() {
    String csv = HeatMapText.csv(map());
    assertThat(csv.lines()).hasSize(3);
    assertThat(csv).startsWith("millis,start,end,startHex,endHex,reads\n");
    assertThat(csv).contains("0,\"'=a\"\"\",").contains("60000,\"z\\xFF\",");
  }

  @Test
  void aPngShowsTheHotBandAndTheBorder() throws IOException {
    HeatMap map = map();
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(HeatMapImage.png(map)));
    assertThat(image.getWidth()).isEqualTo(960);
    int high = (image.getHeight() - 6) / map.keys().size();
    int brightest = 0;
    int hot = 0;
    int grey = 0;
    for (int bucket = 0; bucket < map.keys().size(); bucket++) {
      int y = 6 + bucket * high + high / 2;
      int light = image.getRGB(700, y) >> 16 & 0xff;
      hot = light > brightest ? bucket : hot;
      brightest = Math.max(brightest, light);
      grey += (image.getRGB(700, 6 + bucket * high) & 0xffffff) == 0x909090 ? 1 : 0;
    }
    assertThat(Bytes.toStringBinary(map.keys().get(hot))).isEqualTo("z\\xFF");
    assertThat(grey).isEqualTo(1);
  }

  @Test
  void anEmptyMapIsAPicture() throws IOException {
    HeatMap map =
        HeatMap.of(
            new Query("x", TrafficMetric.READS, 0, MINUTE, Bytes.EMPTY, Bytes.EMPTY, 16, 10),
            List.of());
    assertThat(ImageIO.read(new ByteArrayInputStream(HeatMapImage.png(map)))).isNotNull();
  }
}
