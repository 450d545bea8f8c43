package dev.cairn.shell.command;

import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.OnlineLogRecord;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Formats the log entries of servers as JSON, as HBase's shell does. */
final class CallText {
  private static final Gson PRETTY =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private CallText() {}

  /** Returns an entry of a log, in several lines. */
  static String of(LogEntry entry) {
    // The client's own method reflects on fields that Java 17 does not open.
    return entry instanceof OnlineLogRecord call
        ? PRETTY.toJson(fields(call))
        : entry.toJsonPrettyPrint();
  }

  private static JsonObject fields(OnlineLogRecord call) {
    JsonObject fields = new JsonObject();
    fields.addProperty("startTime", call.getStartTime());
    fields.addProperty("processingTime", call.getProcessingTime());
    fields.addProperty("queueTime", call.getQueueTime());
    fields.addProperty("responseSize", call.getResponseSize());
    fields.addProperty("blockBytesScanned", call.getBlockBytesScanned());
    fields.addProperty("fsReadTime", call.getFsReadTime());
    text(fields, "clientAddress", call.getClientAddress());
    text(fields, "serverClass", call.getServerClass());
    text(fields, "methodName", call.getMethodName());
    text(fields, "callDetails", call.getCallDetails());
    text(fields, "param", call.getParam());
    text(fields, "userName", call.getUserName());
    text(fields, "regionName", call.getRegionName());
    count(fields, "multiGetsCount", call.getMultiGetsCount());
    count(fields, "multiMutationsCount", call.getMultiMutationsCount());
    count(fields, "multiServiceCalls", call.getMultiServiceCalls());
    return fields;
  }

  private static void text(JsonObject fields, String name, String value) {
    if (value != null && !value.isEmpty()) {
      fields.addProperty(name, value);
    }
  }

  private static void count(JsonObject fields, String name, int value) {
    if (value != 0) {
      fields.addProperty(name, value);
    }
  }
}
