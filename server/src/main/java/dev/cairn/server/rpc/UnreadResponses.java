package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose client has stopped reading its responses, so that they do not stay in
 * memory. A slow client that makes progress keeps its connection. Confined to the network thread.
 *
 * <p>Checks four times per timeout, but only while responses are left after a flush. Short
 * responses are sent without a loan; so after the first check without progress, the remaining bytes
 * are borrowed from the account. If the account cannot lend them, the connection is closed.
 */
final class UnreadResponses {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadResponses.class);
  private static final int LOOKS = 4;

  private final SocketChannel channel;
  private final MemoryAccount account;
  private final int timeoutMillis;
  private ScheduledFuture<?> next; // null if no check is scheduled
  private long written; // messages, since the connection began
  private long takenBefore;
  private long partBefore;
  private int looks; // without progress
  private long loan;

  UnreadResponses(SocketChannel channel, MemoryAccount account, int timeoutMillis) {
    this.channel = channel;
    this.account = account;
    this.timeoutMillis = timeoutMillis;
  }

  /** Counts a message that was written to the channel. */
  void written() {
    written++;
  }

  /** Schedules a check if the operating system has not taken all messages. */
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

  /** Gives back the loan, when the connection has ended. */
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
    boolean isShort = account.snapshot().waiting() > 0 || !tryCover(out.totalPendingWriteBytes());
    if (looks >= (isShort ? 1 : LOOKS)) {
      LOG.info(
          "{} is closed: its client has not read its responses for {} ms ({})",
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

  /** Borrows memory for responses that stay unread; false if there is none. */
  private boolean tryCover(long bytes) {
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
