package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import java.util.Map;

/** What a request asks of the engine, as text: arrays in it are compared by what they hold. */
final class RequestText {
  private RequestText() {}

  static String of(ScanRequest request) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<byte[], FamilySelection> family : request.families().entrySet()) {
      text.append(Bytes.toStringBinary(family.getKey())).append(':');
      for (byte[] qualifier : family.getValue().qualifiers()) {
        text.append(Bytes.toStringBinary(qualifier)).append(',');
      }
      text.append(family.getValue().timeRange()).append(' ');
    }
    return text.append(Bytes.toStringBinary(request.startRow()))
        .append(request.includeStart())
        .append(Bytes.toStringBinary(request.stopRow()))
        .append(request.includeStop())
        .append(request.reversed())
        .append(request.timeRange())
        .append(request.maxVersions())
        .append(request.raw())
        .append(request.cacheBlocks())
        .append(request.cellsPerFamilyLimit())
        .append(request.cellsPerFamilyOffset())
        .append(request.filter())
        .append(request.loadFamiliesOnDemand())
        .append(request.readUncommitted())
        .append(request.resumedFrom())
        .append(request.mob())
        .append(request.observer())
        .toString();
  }
}
