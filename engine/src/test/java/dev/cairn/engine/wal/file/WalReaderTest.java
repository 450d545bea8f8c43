package dev.cairn.engine.wal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Effort;
import dev.cairn.engine.wal.Entries;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("forms")
class WalReaderTest {
  private static final String PATH = "WALs/server/server.1";

  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);

  /** Writes groups of entries with a sync after each, and says where each entry ends. */
  private List<Long> write(WalCompression compression, boolean close, List<List<WalEntry>> groups)
      throws IOException {
    List<Long> ends = new ArrayList<>();
    WalWriter writer =
        WalWriter.create(storage, PATH, new WalBuffer(), compression, SyncLevel.SYNCED);
    writer.sync();
    for (List<WalEntry> group : groups) {
      for (WalEntry entry : group) {
        writer.append(entry);
        ends.add(writer.position());
      }
      writer.sync();
    }
    if (close) {
      writer.finish();
    }
    return ends;
  }

  static List<List<WalEntry>> sample() {
    return List.of(
        List.of(Entries.of(Entries.REGION, 1, "one"), Entries.of("1588230740", 7, "a", "b", "")),
        List.of(Entries.of(Entries.REGION, 300, "x".repeat(200))),
        List.of(
            Entries.of(Entries.REGION, 1L << 40, "four"), Entries.of(Entries.REGION, 1L << 41)));
  }

  private static List<String> texts(List<List<WalEntry>> groups) {
    return groups.stream().flatMap(List::stream).map(Entries::text).toList();
  }

  private WalEnd end(String path) throws IOException {
    try (WalReader reader = WalReader.open(storage, path)) {
      while (reader.next()) {
        reader.entry();
      }
      return reader.end();
    }
  }

  private WalFileInfo info(String path) throws IOException {
    try (WalReader reader = WalReader.open(storage, path)) {
      return reader.info();
    }
  }

  /**
   * Returns no compression, names, names and tags, and all of it with each kind of compressed
   * values.
   */
  static List<WalCompression> compressions() {
    List<WalCompression> compressions = new ArrayList<>();
    compressions.add(WalCompression.NONE);
    compressions.add(new WalCompression(true, false, Optional.empty()));
    compressions.add(new WalCompression(true, true, Optional.empty()));
    for (WalValueCompression values : WalValueCompression.values()) {
      compressions.add(new WalCompression(true, true, Optional.of(values)));
    }
    return compressions;
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void theFileSaysWhatItIs(WalCompression compression) throws IOException {
    List<Long> ends = write(compression, true, sample());
    WalFileInfo info = info(PATH);
    assertThat(info.path()).isEqualTo(PATH);
    assertThat(info.writerClass()).isEqualTo("ProtobufLogWriter");
    assertThat(info.codecClass())
        .isEqualTo("org.apache.hadoop.hbase.regionserver.wal.WALCellCodec");
    assertThat(info.compression()).isEqualTo(compression);
    assertThat(info.isChecksummed()).isTrue();
    assertThat(info.hasTrailer()).isTrue();
    assertThat(info.length()).isEqualTo(storage.readAll(PATH).length);
    try (WalReader reader = WalReader.open(storage, PATH)) {
      long begin = info.firstEntryOffset();
      for (long end : ends) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.entryOffset()).isEqualTo(begin);
        assertThat(reader.entryLength()).isEqualTo(end - begin);
        assertThat(reader.position()).isEqualTo(end);
        begin = end;
      }
      assertThat(reader.next()).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void whatWasWrittenIsRead(WalCompression compression) throws IOException {
    write(compression, true, sample());
    assertThat(Entries.readAll(storage, PATH)).isEqualTo(texts(sample()));
    assertThat(end(PATH).kind()).isEqualTo(WalEnd.Kind.CLOSED);
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void entriesOfAnySizeAreRead(WalCompression compression) throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    List<WalEntry> entries = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      entries.add(Entries.random(Entries.REGION, i, random, i % 15 == 0 ? 1_500_000 : 10_000));
    }
    write(compression, false, List.of(entries));
    assertThat(Entries.readAll(storage, PATH)).isEqualTo(Entries.texts(entries));
    assertThat(end(PATH).kind()).isEqualTo(WalEnd.Kind.UNCLOSED);
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void aFileCutAnywhereGivesTheWholeEntriesBefore(WalCompression compression) throws IOException {
    List<Long> ends = write(compression, false, sample());
    byte[] whole = storage.readAll(PATH);
    List<String> expected = texts(sample());
    long headerEnd = info(PATH).firstEntryOffset();
    for (int length = 0; length <= whole.length; length++) {
      Entries.write(storage, "cut", whole, length);
      int cut = length;
      int entries = (int) ends.stream().filter(end -> end <= cut).count();
      assertThat(Entries.readAll(storage, "cut"))
          .as("length %d", length)
          .isEqualTo(expected.subList(0, entries));
      WalEnd end = end("cut");
      boolean between = length == headerEnd || ends.contains((long) length);
      assertThat(end.isTorn()).as("length %d: %s", length, end).isEqualTo(!between);
    }
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void aFileWhoseHeaderArrivedOnlyInPartHasNoEntries(WalCompression compression)
      throws IOException {
    write(compression, false, sample());
    int headerEnd = (int) info(PATH).firstEntryOffset();
    byte[] header = Arrays.copyOf(storage.readAll(PATH), headerEnd);
    for (int from = 0; from < headerEnd; from++) {
      for (int to = from + 1; to <= headerEnd; to += 5) {
        byte[] part = header.clone();
        Arrays.fill(part, from, to, (byte) 0); // what a power cut before the first sync leaves
        Entries.write(storage, "part", part, headerEnd);
        assertThat(Entries.readAll(storage, "part")).as("zeros from %d to %d", from, to).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void aTailOfZerosIsTheEnd(WalCompression compression) throws IOException {
    write(compression, false, sample());
    byte[] whole = storage.readAll(PATH);
    for (int zeros : new int[] {1, 7, 500, 300_000}) {
      Entries.write(
          storage, "zeros", Arrays.copyOf(whole, whole.length + zeros), whole.length + zeros);
      assertThat(Entries.readAll(storage, "zeros")).isEqualTo(texts(sample()));
      assertThat(end("zeros").kind()).isEqualTo(WalEnd.Kind.ZEROS);
      assertThat(end("zeros").offset()).isEqualTo(whole.length);
    }
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void inAClosedFileEveryFlippedBitIsNoticed(WalCompression compression) throws IOException {
    List<Long> ends = write(compression, true, sample());
    List<String> expected = texts(sample());
    forEachFlip(
        compression,
        storage.readAll(PATH),
        (at, bit) -> {
          if (at >= ends.get(ends.size() - 1)) {
            assertThat(Entries.readAll(storage, "flipped")).isEqualTo(expected);
          } else {
            assertCorruptAfterAPrefix(expected);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void beforeTheLastGroupEveryFlippedBitIsNoticed(WalCompression compression) throws IOException {
    List<Long> ends = write(compression, false, sample());
    List<String> expected = texts(sample());
    long lastGroup = ends.get(2);
    forEachFlip(
        compression,
        storage.readAll(PATH),
        (at, bit) -> {
          if (at < lastGroup) {
            assertCorruptAfterAPrefix(expected);
          } else {
            // Nothing that was written later says that these bytes had been synced.
            List<String> found = Entries.readAll(storage, "flipped");
            assertThat(found).isEqualTo(expected.subList(0, found.size()));
            assertThat(found.size()).isBetween(3, 4);
            assertThat(end("flipped").isTorn()).isTrue();
          }
        });
  }

  private void assertCorruptAfterAPrefix(List<String> expected) {
    List<String> found = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              try (WalReader reader = WalReader.open(storage, "flipped")) {
                while (reader.next()) {
                  found.add(Entries.text(reader.entry()));
                }
              }
            })
        .isInstanceOf(CorruptWalException.class)
        .hasMessageContaining("flipped is damaged at offset");
    assertThat(found).isEqualTo(expected.subList(0, found.size()));
  }

  private interface FlipCheck {
    void check(int at, int bit) throws IOException;
  }

  private void forEachFlip(WalCompression compression, byte[] whole, FlipCheck check)
      throws IOException {
    // Three bits of each byte; of compressed files one, and all of them over eight bytes. The long
    // form takes all bits.
    int step = compression.equals(WalCompression.NONE) ? 3 : 8;
    for (int at = 0; at < whole.length; at++) {
      for (int bit = Effort.isLong() ? 0 : at % step; bit < 8; bit += Effort.isLong() ? 1 : step) {
        whole[at] ^= (byte) (1 << bit);
        Entries.write(storage, "flipped", whole, whole.length);
        try {
          check.check(at, bit);
        } catch (AssertionError e) {
          throw new AssertionError("byte " + at + ", bit " + bit, e);
        }
        whole[at] ^= (byte) (1 << bit);
      }
    }
  }

  /** With a log that promises to survive a kill only, what was handed to the system was safe. */
  @Test
  void damageToWhatHadBeenFlushedIsNoticedWhereThatWasPromised() throws IOException {
    WalWriter writer =
        WalWriter.create(storage, PATH, new WalBuffer(), WalCompression.NONE, SyncLevel.FLUSHED);
    long begin = writer.position();
    writer.append(Entries.of(Entries.REGION, 1, "one"));
    writer.flush();
    writer.append(Entries.of(Entries.REGION, 2, "two"));
    writer.flush();
    byte[] whole = storage.readAll(PATH);
    whole[(int) begin + 50] ^= 1;
    Entries.write(storage, "flipped", whole, whole.length);
    assertThatThrownBy(() -> Entries.readAll(storage, "flipped"))
        .isInstanceOf(CorruptWalException.class)
        .hasMessageContaining("damaged at offset " + begin)
        .hasMessageContaining("shows that it was whole");
    // A file that failed: its successor has what was not synced here.
    try (WalReader reader = WalReader.openFinal(storage, "flipped", true)) {
      assertThat(reader.next()).isFalse();
      assertThat(reader.end().kind()).isEqualTo(WalEnd.Kind.TORN);
    }
  }

  @Test
  void logBytesInsideACellAreNotTakenForEntries() throws IOException {
    write(WalCompression.NONE, true, sample());
    byte[] log = storage.readAll(PATH);
    WalEntry entry = Entries.of(Entries.REGION, 1);
    entry.cells().add(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, 4, log, Bytes.EMPTY);
    String other = "WALs/server/server.2";
    WalWriter writer =
        WalWriter.create(storage, other, new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED);
    writer.sync();
    writer.append(Entries.of(Entries.REGION, 0, "before"));
    long begin = writer.position();
    writer.append(entry);
    writer.sync();
    byte[] whole = storage.readAll(other);
    // The damaged entry is full of entries, and the file's last bytes are those of a closed log.
    whole[(int) begin + 3] ^= 1;
    Entries.write(storage, "torn", whole, whole.length);
    assertThat(Entries.readAll(storage, "torn")).hasSize(1);
    assertThat(end("torn").kind()).isEqualTo(WalEnd.Kind.TORN);
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void garbageIsRefusedOrEndsTheFileButNeverHurts(WalCompression compression) throws IOException {
    write(compression, false, sample());
    byte[] whole = storage.readAll(PATH);
    for (int seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = whole.clone();
      int from = random.nextInt(bytes.length);
      byte[] noise = new byte[random.nextInt(bytes.length - from) + 1];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, bytes, from, Math.min(noise.length, bytes.length - from));
      Entries.write(storage, "noise", bytes, bytes.length);
      try {
        List<String> found = Entries.readAll(storage, "noise");
        assertThat(found).as("seed %d", seed).isEqualTo(texts(sample()).subList(0, found.size()));
      } catch (CorruptWalException expected) {
        assertThat(expected.path()).isEqualTo("noise");
      }
    }
  }

  @Test
  void aFileOfHBaseIsRead() throws IOException {
    byte[] file =
        hbaseFile(WALProtos.WALHeader.newBuilder().setWriterClsName("ProtobufLogWriter"), true);
    Entries.write(storage, "hbase", file, file.length);
    assertThat(Entries.readAll(storage, "hbase")).isEqualTo(texts(sample()));
    assertThat(end("hbase").kind()).isEqualTo(WalEnd.Kind.CLOSED);
    byte[] open = hbaseFile(WALProtos.WALHeader.newBuilder(), false);
    for (int length = 0; length <= open.length; length++) {
      Entries.write(storage, "hbase", open, length);
      List<String> found = Entries.readAll(storage, "hbase");
      assertThat(found).isEqualTo(texts(sample()).subList(0, found.size()));
    }
  }

  @Test
  void damagedLengthsInAFileOfHBaseNeverHurt() throws IOException {
    byte[] file = hbaseFile(WALProtos.WALHeader.newBuilder(), false);
    for (int seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = file.clone();
      for (int i = 0; i < 4; i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Entries.write(storage, "hbase", bytes, bytes.length);
      try {
        Entries.readAll(storage, "hbase");
      } catch (IOException expected) {
        assertThat(expected).hasMessageContaining("hbase");
      }
    }
  }

  @Test
  void whatIsNotSupportedIsRefused() throws IOException {
    refused(
        WALProtos.WALHeader.newBuilder()
            .setHasCompression(true)
            .setHasValueCompression(true)
            .setValueCompressionAlgorithm(7),
        "algorithm number 7");
    refused(
        WALProtos.WALHeader.newBuilder()
            .setHasCompression(true)
            .setCellCodecClsName("org.apache.hadoop.hbase.codec.KeyValueCodec"),
        "KeyValueCodec and is compressed");
    refused(
        WALProtos.WALHeader.newBuilder().setWriterClsName("SecureAsyncProtobufLogWriter"),
        "encrypted");
    refused(
        WALProtos.WALHeader.newBuilder().setEncryptionKey(ByteString.copyFromUtf8("k")),
        "encrypted");
    refused(
        WALProtos.WALHeader.newBuilder()
            .setCellCodecClsName("org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec"),
        "IndexedWALEditCodec");
    Entries.write(storage, "text", Bytes.utf8("not a log"), 9);
    assertThatThrownBy(() -> WalReader.open(storage, "text"))
        .isInstanceOf(CorruptWalException.class)
        .hasMessageContaining("expected the magic PWAL, found not ");
  }

  private void refused(WALProtos.WALHeader.Builder header, String why) throws IOException {
    byte[] file = hbaseFile(header, true);
    Entries.write(storage, "hbase", file, file.length);
    assertThatThrownBy(() -> WalReader.open(storage, "hbase"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("hbase")
        .hasMessageContaining(why);
  }

  /** The sample as HBase writes it, with fields that only HBase uses. */
  static byte[] hbaseFile(WALProtos.WALHeader.Builder header, boolean close) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBytes("PWAL");
    header.build().writeDelimitedTo(out);
    for (WalEntry entry : sample().stream().flatMap(List::stream).toList()) {
      WALProtos.WALKey.newBuilder()
          .setEncodedRegionName(ByteString.copyFromUtf8(entry.region()))
          .setTableName(ByteString.copyFromUtf8(entry.table().toString()))
          .setLogSequenceNumber(entry.sequence())
          .setWriteTime(entry.writeTimeMillis())
          .addScopes(
              WALProtos.FamilyScope.newBuilder()
                  .setFamily(ByteString.copyFromUtf8("f"))
                  .setScopeType(WALProtos.ScopeType.REPLICATION_SCOPE_GLOBAL))
          .setFollowingKvCount(entry.cells().size())
          .setNonceGroup(5)
          .setNonce(-6)
          .addExtendedAttributes(
              WALProtos.Attribute.newBuilder().setKey("k").setValue(ByteString.copyFromUtf8("v")))
          .build()
          .writeDelimitedTo(out);
      for (int i = 0; i < entry.cells().size(); i++) {
        out.writeInt(entry.cells().length(i));
        out.write(entry.cells().bytes(i), entry.cells().offset(i), entry.cells().length(i));
      }
    }
    if (close) {
      out.writeInt(0);
      out.writeBytes("LAWP");
    }
    return bytes.toByteArray();
  }
}
