package dev.cairn.bench.limit;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.ServerName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Answers the questions of clients before their first call about data: the server and the contents
 * of {@code hbase:meta}. Every requested table has one region, which is here; the master creates
 * any table, without effect, and none exists before. Thread-safe.
 */
final class CatalogCalls {
  private static final String META = TableName.META.toString();
  private static final byte[] INFO = Bytes.utf8("info");
  private static final long PROCEDURE = 1;

  private final ServerName server;

  CatalogCalls(ServerName server) {
    this.server = server;
  }

  /** Answers the words that ask for the cluster's id before any connection header. */
  RegistryProtos.GetConnectionRegistryResponse clusterId() {
    return RegistryProtos.GetConnectionRegistryResponse.newBuilder()
        .setClusterId(server.toString())
        .build();
  }

  /** Tells whether a request's message, which begins with the region, is for {@code hbase:meta}. */
  static boolean isForMeta(ByteBuf message) {
    // 0A length 08 01 12 length hbase:meta,,1: the name is 6 bytes in, as it is short.
    int at = message.readerIndex() + 6;
    return message.readableBytes() > 6 + META.length()
        && message.getByte(at) == 'h'
        && message.getByte(at + META.length()) == ','
        && META.contentEquals(
            message.getCharSequence(at, META.length(), StandardCharsets.US_ASCII));
  }

  /**
   * Answers a call of the registry, of the master, or about {@code hbase:meta}.
   *
   * @throws DoNotRetryIOException if there is no answer to it
   */
  Message answer(String method, ByteBuf message) throws IOException {
    InputStream in = new ByteBufInputStream(message.duplicate());
    return switch (method) {
      case "GetClusterId" ->
          RegistryProtos.GetClusterIdResponse.newBuilder().setClusterId(server.toString()).build();
      case "GetActiveMaster" ->
          RegistryProtos.GetActiveMasterResponse.newBuilder()
              .setServerName(server.message())
              .build();
      case "GetMetaRegionLocations" ->
          RegistryProtos.GetMetaRegionLocationsResponse.newBuilder()
              .addMetaLocations(
                  HBaseProtos.RegionLocation.newBuilder()
                      .setRegionInfo(Messages.message(RegionInfo.META))
                      .setServerName(server.message())
                      .setSeqNum(-1))
              .build();
      case "GetBootstrapNodes" ->
          RegistryProtos.GetBootstrapNodesResponse.newBuilder()
              .addServerName(server.message())
              .build();
      case "IsMasterRunning" ->
          MasterProtos.IsMasterRunningResponse.newBuilder().setIsMasterRunning(true).build();
      case "CreateTable" ->
          MasterProtos.CreateTableResponse.newBuilder().setProcId(PROCEDURE).build();
      case "getProcedureResult" ->
          MasterProtos.GetProcedureResultResponse.newBuilder()
              .setState(MasterProtos.GetProcedureResultResponse.State.FINISHED)
              .build();
      case "Get" -> // whether a table is there: no, so it can be created
          ClientProtos.GetResponse.newBuilder()
              .setResult(ClientProtos.Result.getDefaultInstance())
              .build();
      case "Scan" -> scanMeta(ClientProtos.ScanRequest.parseFrom(in));
      default ->
          throw new DoNotRetryIOException("A server with canned responses has none for " + method);
    };
  }

  private ClientProtos.ScanResponse scanMeta(ClientProtos.ScanRequest request) {
    ClientProtos.ScanResponse.Builder response =
        ClientProtos.ScanResponse.newBuilder()
            .setScannerId(PROCEDURE)
            .setMoreResults(false)
            .setMoreResultsInRegion(false);
    if (request.getNumberOfRows() > 0 && !request.getCloseScanner()) {
      table(request.getScan().getStartRow().toString(StandardCharsets.UTF_8))
          .ifPresent(table -> response.addResults(row(table)));
    }
    return response.build();
  }

  /** Returns the table of a row of {@code hbase:meta}, which begins with its name and a comma. */
  private static Optional<TableName> table(String row) {
    int comma = row.indexOf(',');
    return comma <= 0 ? Optional.empty() : Optional.of(TableName.parse(row.substring(0, comma)));
  }

  private ClientProtos.Result row(TableName table) {
    RegionInfo region = new RegionInfo(table, Bytes.EMPTY, Bytes.EMPTY, 1);
    ClientProtos.Result.Builder result = ClientProtos.Result.newBuilder();
    MetaFormat.columns(new CatalogChange.RegionOpened(region, server, 1)).stream()
        .sorted((a, b) -> Arrays.compareUnsigned(a.qualifier(), b.qualifier()))
        .forEach(
            column ->
                result.addCell(
                    CellProtos.Cell.newBuilder()
                        .setRow(Messages.wrap(region.regionName()))
                        .setFamily(Messages.wrap(INFO))
                        .setQualifier(Messages.wrap(column.qualifier()))
                        .setTimestamp(1)
                        .setCellType(CellProtos.CellType.PUT)
                        .setValue(Messages.wrap(column.value()))));
    return result.build();
  }
}
