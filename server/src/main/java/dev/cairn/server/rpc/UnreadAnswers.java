package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose client takes nothing of its answers for long, so that they do not stay
 * in memory for good. A client that is slow but takes some is left alone. Confined to the network
 * thread.
 *
 * <p>It looks four times per time-out, and only while answers are left after a flush. From the
 * second look without progress on, all that is left is borrowed from the account, because short
 * answers are sent without a loan; if there is no memory for it, the connection is closed.
 */
final class UnreadAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadAnswers.class);
  private static final int LOOKS = 4;

  private final SocketChannel channel;
  private final MemoryAccount account;
  private final int timeoutMillis;
  private ScheduledFuture<?> next; // null while nothing is watched
  private long written; // messages, since the connection began
  private long takenBefore;
  private long partBefore;
  private int looks; // without progress
  private long loan;

  UnreadAnswers(SocketChannel channel, MemoryAccount account, int timeoutMillis) {
    this.channel = channel;
    this.account = account;
    this.timeoutMillis = timeoutMillis;
  }

  /** Counts a message that is handed to the channel. */
  void written() {
    written++;
  }

  /** Begins to watch if the system has not taken all that was written. */
  void flushed() {
    if (next == null) {
      ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
      if (out != null && !out.isEmpty()) {
        looks = 0;
        remember(out);
        schedule();
      }
    }
  }

  /** Gives back all; the connection has ended. */
  void close() {
    if (next != null) {
      next.cancel(false);
    }
    giveBack();
  }

  private void schedule() {
    next =
        channel
            .eventLoop()
            .schedule(this::look, Math.max(1, timeoutMillis / LOOKS), TimeUnit.MILLISECONDS);
  }

  private void look() {
    next = null;
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    if (out == null || out.isEmpty()) {
      giveBack();
      return;
    }
    boolean progress = written - out.size() != takenBefore || out.currentProgress() != partBefore;
    remember(out);
    looks = progress ? 0 : looks + 1;
    boolean isShort = account.snapshot().waiting() > 0 || !isCovered(out.totalPendingWriteBytes());
    if (looks >= (isShort ? 1 : LOOKS)) {
      LOG.info(
          "{} is closed: its client has taken nothing of its answers for {} ms ({})",
          channel,
          looks * (long) timeoutMillis / LOOKS,
          RpcKeys.UNREAD_TIMEOUT.name());
      channel.close();
      return;
    }
    schedule();
  }

  private void remember(ChannelOutboundBuffer out) {
    takenBefore = written - out.size();
    partBefore = out.currentProgress();
  }

  private boolean isCovered(long bytes) {
    if (looks > 0 && loan == 0 && account.tryBorrow(bytes)) {
      loan = bytes;
    }
    return looks == 0 || loan > 0;
  }

  private void giveBack() {
    account.giveBack(loan);
    loan = 0;
  }
}
