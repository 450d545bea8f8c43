package dev.cairn.server.walsplit;

import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitWALParameter;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The order of a master to split one part of a dead server's log. On the wire it is HBase's remote
 * procedure {@code SplitWALCallable}. Where HBase's order has the path of a log file, this one has
 * {@code WALs/SERVER-splitting#regions-PART@SCRATCH} or {@code WALs/SERVER-splitting#meta@SCRATCH}.
 *
 * @param dead the server that left the log
 * @param scratch the directory that the master lends for unfinished files: the master's epoch, and
 *     the number of the directory. Orders with one directory are carried out together
 * @param token the master's epoch, and the number of the order, which the report repeats
 */
public record SplitOrder(ServerName dead, LogPart part, FencingToken scratch, FencingToken token) {
  /** The class of the remote procedure in HBase. */
  public static final String CLASS = "org.apache.hadoop.hbase.regionserver.SplitWALCallable";

  private static final Pattern PATH =
      Pattern.compile(
          "WALs/(?<dead>[^/#]+)"
              + LogSplitter.SPLITTING_SUFFIX
              + "#(?:meta|regions-(?<part>[0-9]{1,4}))@(?<scratch>[0-9]+-[0-9]+)");

  /** Returns the directory of a dead server's log while it is split. */
  public static String directory(ServerName dead) {
    return "WALs/" + dead + LogSplitter.SPLITTING_SUFFIX;
  }

  /** Returns the directory of the log. */
  public String directory() {
    return directory(dead);
  }

  /** Returns the encoded path of a log file. */
  public String path() {
    String what = part.kind() == LogKind.META ? "meta" : "regions-" + part.index();
    return directory() + "#" + what + "@" + scratch;
  }

  /** Returns the order as a message. */
  public RemoteProcedureRequest message() {
    return RemoteProcedureRequest.newBuilder()
        .setProcId(token.order())
        .setProcClass(CLASS)
        .setProcData(SplitWALParameter.newBuilder().setWalPath(path()).build().toByteString())
        .setInitiatingMasterActiveTime(token.epoch())
        .build();
  }

  /**
   * Reads an order.
   *
   * @throws DoNotRetryIOException if the message is another procedure, or names no part of a log
   */
  public static SplitOrder of(RemoteProcedureRequest message) throws DoNotRetryIOException {
    if (!message.getProcClass().equals(CLASS)) {
      throw new DoNotRetryIOException(
          "Cairn does not support the remote procedure " + message.getProcClass());
    }
    if (!message.hasInitiatingMasterActiveTime()
        || message.getInitiatingMasterActiveTime() < 0
        || message.getProcId() < 0) {
      throw new DoNotRetryIOException(
          "An order to split a log needs the epoch of its master"
              + " (initiating_master_active_time) and a number (proc_id), both 0 or higher");
    }
    String path;
    try {
      path = SplitWALParameter.parseFrom(message.getProcData()).getWalPath();
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException(
          "The data of an order to split a log is no SplitWALParameter: " + e.getMessage(), e);
    }
    Matcher parts = PATH.matcher(path);
    try {
      if (parts.matches()) {
        LogPart part =
            parts.group("part") == null
                ? new LogPart(LogKind.META, 0)
                : new LogPart(LogKind.REGIONS, Integer.parseInt(parts.group("part")));
        return new SplitOrder(
            ServerName.parse(parts.group("dead")),
            part,
            FencingToken.parse(parts.group("scratch")).orElseThrow(IllegalArgumentException::new),
            new FencingToken(message.getInitiatingMasterActiveTime(), message.getProcId()));
      }
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(path + " is no part of a log: " + e.getMessage(), e);
    }
    throw new DoNotRetryIOException(
        path
            + " is no part of a log: expected WALs/SERVER-splitting#regions-PART@SCRATCH or"
            + " WALs/SERVER-splitting#meta@SCRATCH");
  }
}
