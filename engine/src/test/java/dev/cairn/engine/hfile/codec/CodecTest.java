package dev.cairn.engine.hfile.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cairn.engine.hfile.codec.FramedCodec.ChunkCodec;
import dev.cairn.engine.hfile.format.ByteSink;
import io.airlift.compress.bzip2.BZip2HadoopStreams;
import io.airlift.compress.gzip.JdkGzipHadoopStreams;
import io.airlift.compress.hadoop.HadoopStreams;
import io.airlift.compress.lz4.Lz4HadoopStreams;
import io.airlift.compress.lzo.LzoHadoopStreams;
import io.airlift.compress.snappy.SnappyHadoopStreams;
import io.airlift.compress.zstd.ZstdHadoopStreams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The codecs write and read what streams compatible with Hadoop's write and read. */
class CodecTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void hadoopStreamsReadWhatCodecsWriteAndTheOtherWayRound(Compression compression)
      throws IOException {
    for (int length : new int[] {1, 100, 64 * 1024, 300_000}) {
      byte[] plain = text(length);
      ByteSink compressed = new ByteSink(16);
      compression.newCodec().compress(plain, 0, length, compressed);
      try (InputStream in =
          streams(compression)
              .createInputStream(
                  new ByteArrayInputStream(compressed.bytes(), 0, compressed.size()))) {
        assertThat(in.readNBytes(length)).isEqualTo(plain);
      }

      ByteArrayOutputStream theirs = new ByteArrayOutputStream();
      try (OutputStream out = streams(compression).createOutputStream(theirs)) {
        out.write(plain);
      }
      byte[] found = new byte[length];
      compression.newCodec().decompress(theirs.toByteArray(), 0, theirs.size(), found);
      assertThat(found).isEqualTo(plain);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyBodyIsPossible(Compression compression) throws IOException {
    ByteSink compressed = new ByteSink(16);
    compression.newCodec().compress(new byte[0], 0, 0, compressed);
    compression.newCodec().decompress(compressed.bytes(), 0, compressed.size(), new byte[0]);
  }

  @ParameterizedTest
  @EnumSource
  void anotherLengthIsAnError(Compression compression) throws IOException {
    byte[] plain = text(5000);
    ByteSink compressed = new ByteSink(16);
    compression.newCodec().compress(plain, 0, plain.length, compressed);
    byte[] source = Arrays.copyOf(compressed.bytes(), compressed.size());
    for (int length : new int[] {4999, 5001}) {
      assertThatThrownBy(
              () -> compression.newCodec().decompress(source, 0, source.length, new byte[length]))
          .isInstanceOfAny(IOException.class, RuntimeException.class);
    }
  }

  @Test
  void zstandardIsReadInHadoopsBlockFramingToo() throws IOException {
    byte[] plain = text(1000);
    ByteSink frame = new ByteSink(16);
    Codec codec = Compression.ZSTD.newCodec();
    codec.compress(plain, 0, plain.length, frame);
    ByteSink framed = new ByteSink(16);
    framed.putInt(plain.length);
    framed.putInt(frame.size());
    framed.put(frame.bytes(), 0, frame.size());
    byte[] found = new byte[plain.length];
    codec.decompress(framed.bytes(), 0, framed.size(), found);
    assertThat(found).isEqualTo(plain);
  }

  /** The machine decides which of them is used, and files go from one machine to another. */
  @Test
  void snappysNativeAndJavaFormsReadEachOther() throws IOException {
    assumeThat(NativeSnappy.load()).isTrue();
    ChunkCodec java = Compression.javaSnappy();
    ChunkCodec library = new NativeSnappy();
    for (int length : new int[] {0, 1, 100, 64 * 1024, 128 * 1024, 300_000}) {
      byte[] plain = text(length);
      assertThat(through(java, library, plain)).isEqualTo(plain);
      assertThat(through(library, java, plain)).isEqualTo(plain);
    }
  }

  /** Damaged input may claim any length; nothing outside the target is written. */
  @Test
  void damagedSnappyNeverWritesBehindItsRoom() throws IOException {
    assumeThat(NativeSnappy.load()).isTrue();
    ChunkCodec library = new NativeSnappy();
    byte[] plain = text(300);
    byte[] whole = new byte[library.maxCompressedLength(plain.length)];
    int length = library.compress(plain, 0, plain.length, whole, 0);
    for (int at = 0; at < length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = Arrays.copyOf(whole, length);
        damaged[at] ^= (byte) (1 << bit);
        byte[] target = new byte[plain.length + 200];
        try {
          int written = library.decompress(damaged, 0, length, target, 100, plain.length);
          assertThat(written).isBetween(0, plain.length);
        } catch (IOException | RuntimeException e) {
          // One of both answers that damage may have.
        }
        assertThat(Arrays.copyOf(target, 100)).containsOnly(0);
        assertThat(Arrays.copyOfRange(target, 100 + plain.length, target.length)).containsOnly(0);
      }
    }
    assertThatThrownBy(() -> library.decompress(whole, 0, 0, new byte[10], 0, 10))
        .isInstanceOf(IOException.class);
  }

  private static byte[] through(ChunkCodec writer, ChunkCodec reader, byte[] plain)
      throws IOException {
    byte[] packed = new byte[5 + writer.maxCompressedLength(plain.length)];
    int length = writer.compress(plain, 0, plain.length, packed, 5);
    byte[] found = new byte[3 + plain.length];
    assertThat(reader.decompress(packed, 5, length, found, 3, plain.length))
        .isEqualTo(plain.length);
    return Arrays.copyOfRange(found, 3, found.length);
  }

  private static byte[] text(int length) {
    Random random = new Random(length);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(1 + i % 7));
    }
    return bytes;
  }

  private static HadoopStreams streams(Compression compression) {
    return switch (compression) {
      case NONE -> throw new IllegalArgumentException();
      case GZ -> new JdkGzipHadoopStreams();
      case SNAPPY -> new SnappyHadoopStreams();
      case LZ4 -> new Lz4HadoopStreams();
      case ZSTD -> new ZstdHadoopStreams();
      case LZO -> new LzoHadoopStreams();
      case BZIP2 -> new BZip2HadoopStreams();
    };
  }
}
