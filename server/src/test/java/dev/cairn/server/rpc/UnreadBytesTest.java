package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.wire.UnreadBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames come out as they were sent, however they come in, and where they can where they came. */
class UnreadBytesTest {
  private static final int LONG = 100_000;

  private final RpcEventLoops loops = new RpcEventLoops(1, RpcFixture.DAEMONS);
  private final ByteBufAllocator pool = loops.allocator(); // as it is on the network threads
  private final UnreadBytes unread = new UnreadBytes(UnpooledByteBufAllocator.DEFAULT);

  @AfterEach
  void close() {
    loops.close();
  }

  @Test
  void theRestOfALongFrameIsReceivedBehindItsBeginning() throws FatalConnectionException {
    ByteBuf first = UnpooledByteBufAllocator.DEFAULT.directBuffer(LONG / 2 + 4);
    unread.append(first.writeInt(LONG).writeZero(LONG / 2));
    assertThat(unread.takeLength(LONG)).isNegative();

    ByteBuf room = unread.room(64).orElseThrow();
    assertThat(room.writableBytes()).isGreaterThanOrEqualTo(LONG / 2);
    room.writeZero(LONG / 2);
    unread.append(room);
    assertThat(unread.takeLength(LONG)).isPositive();
    assertThat(unread.bytes()).isSameAs(room);
    assertThat(room.refCnt()).isEqualTo(1);
    unread.release();
    assertThat(room.refCnt()).isZero();
  }

  @Test
  void memoryGrowsWithWhatHasArrivedNotWithWhatIsAnnounced() throws FatalConnectionException {
    ByteBuf first = UnpooledByteBufAllocator.DEFAULT.directBuffer(1_000);
    unread.append(first.writeInt(1 << 30).writeZero(996));
    assertThat(unread.takeLength(1 << 30)).isNegative();
    ByteBuf room = unread.room(64).orElseThrow();
    assertThat(room.capacity()).isLessThanOrEqualTo(2_000);
    room.release();
    unread.release();
  }

  @Test
  void whatACallStillHoldsIsNotWrittenBehind() throws FatalConnectionException {
    ByteBuf first = UnpooledByteBufAllocator.DEFAULT.directBuffer(64);
    unread.append(first.writeInt(4).writeInt(7).writeInt(4));
    ByteBuf held = unread.bytes().readRetainedSlice(unread.takeLength(4));
    assertThat(unread.takeLength(4)).isNegative();

    ByteBuf room = unread.room(64).orElseThrow();
    assertThat(room).isNotSameAs(first);
    unread.append(room.writeInt(8));
    assertThat(unread.takeLength(4)).isEqualTo(4);
    assertThat(unread.bytes().readInt()).isEqualTo(8);
    assertThat(held.readInt()).isEqualTo(7);
    held.release();
    assertThat(first.refCnt()).isZero();
    unread.settle();
    assertThat(room.refCnt()).isZero();
  }

  @Test
  void thereIsRoomWhenABufferIsFullAndThePoolGaveMoreThanWasAsked() throws Exception {
    ByteBuf first = pool.directBuffer(33_000);
    first.writeInt(36_000).writeZero(first.writableBytes());
    assertThat(first.maxFastWritableBytes()).as("more than was asked").isGreaterThan(3_004);
    unread.append(first);
    assertThat(unread.takeLength(LONG)).isNegative();

    ByteBuf room = unread.room(64).orElseThrow();
    assertThat(room.writableBytes()).isGreaterThanOrEqualTo(3_004);
    assertThat(room).as("where it began").isSameAs(first);
    unread.append(room.writeZero(3_004));
    assertThat(unread.takeLength(LONG)).isPositive();
    unread.release();
  }

  @Test
  void framesOfAnyLengthComeOutWholeWhateverArrivesAtOnce() throws Exception {
    assertFramesComeOutWhole(UnpooledByteBufAllocator.DEFAULT);
  }

  @Test
  void framesOfAnyLengthComeOutWholeFromAPool() throws Exception {
    assertFramesComeOutWhole(pool);
  }

  /** Receives as Netty does: as many bytes as are writable, if so many are there. */
  private static void assertFramesComeOutWhole(ByteBufAllocator allocator) throws Exception {
    UnreadBytes unread = new UnreadBytes(allocator);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    ByteBuf sent = UnpooledByteBufAllocator.DEFAULT.buffer();
    int frames = 300;
    for (int i = 0; i < frames; i++) {
      int length = random.nextInt(4) == 0 ? random.nextInt(50_000) : random.nextInt(100);
      sent.writeInt(length + 4).writeInt(i).writeZero(length);
    }
    int seen = 0;
    Deque<ByteBuf> held = new ArrayDeque<>(); // by calls that go on
    while (sent.isReadable()) {
      int usual = 64 << random.nextInt(8);
      ByteBuf room = unread.room(usual).orElseGet(() -> allocator.directBuffer(usual));
      assertThat(room.isWritable()).as("seed %d", seed).isTrue();
      int there = random.nextBoolean() ? sent.readableBytes() : 1 + random.nextInt(30_000);
      int arriving = Math.min(Math.min(there, sent.readableBytes()), room.writableBytes());
      room.writeBytes(sent, arriving);
      unread.append(room);
      for (int length = unread.takeLength(60_000);
          length >= 0;
          length = unread.takeLength(60_000)) {
        ByteBuf frame = unread.bytes().readRetainedSlice(length);
        assertThat(frame.readInt()).as("seed %d", seed).isEqualTo(seen++);
        held.add(frame);
      }
      while (!held.isEmpty() && random.nextInt(3) > 0) {
        held.remove().release();
      }
      unread.settle();
    }
    held.forEach(ByteBuf::release);
    assertThat(seen).as("seed %d", seed).isEqualTo(frames);
    assertThat(unread.size()).isZero();
    sent.release();
  }
}
