package dev.cairn.server.rpc.service;

import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The subject of a call, as its request names it. Interceptors read it ({@link CallCheck}): quotas,
 * audits and access control ask the same question. Every method has a {@link Reader}, registered
 * beside the parser of its requests.
 */
public sealed interface CallSubject {
  /** The server or the cluster as a whole. */
  CallSubject CLUSTER = Whole.CLUSTER;

  /** The subject of calls that concern no table, region or namespace. */
  enum Whole implements CallSubject {
    CLUSTER
  }

  /** A namespace. */
  record Namespace(String name) implements CallSubject {}

  /** Tables; none if the request selects them in another way, for example by a pattern. */
  record Tables(List<TableName> tables) implements CallSubject {}

  /** Regions, each named once for each group of actions. */
  record Regions(List<RegionPart> regions) implements CallSubject {}

  /**
   * The region of a scanner that an earlier call opened.
   *
   * @param reads whether the call asks for rows; if not, it renews or closes the scanner
   */
  record Scanner(long id, boolean reads) implements CallSubject {}

  /**
   * A region and the call's access to it.
   *
   * @param name the region's full or encoded name
   * @param hasEncodedName whether {@code name} is the encoded name
   * @param accesses the reads and writes of its rows; empty if the call concerns the region as a
   *     whole
   */
  record RegionPart(ByteString name, boolean hasEncodedName, List<RowAccess> accesses) {}

  /**
   * Reads a request's subject. Costs nothing until an interceptor asks.
   *
   * @param <Q> the request message
   */
  @FunctionalInterface
  interface Reader<Q> {
    /**
     * Returns the subject of a request.
     *
     * @param call the call, whose {@link RpcCall#requestCells} may belong to the request
     * @throws IOException if the request cannot be understood; the method refuses it as well
     */
    CallSubject read(RpcCall call, Q request) throws IOException;
  }

  /** Returns the subject of requests that concern the server or the cluster. */
  static CallSubject cluster(RpcCall call, Object request) {
    return CLUSTER;
  }

  /** Returns a table as a subject. */
  static CallSubject table(HBaseProtos.TableName table) {
    return new Tables(List.of(name(table)));
  }

  /** Returns the table with that name as a subject; the cluster if the name is empty. */
  static CallSubject table(String name) {
    return name.isEmpty() ? CLUSTER : new Tables(List.of(TableName.parse(name)));
  }

  /** Returns tables as a subject. */
  static CallSubject tables(List<HBaseProtos.TableName> tables) {
    return new Tables(tables.stream().map(CallSubject::name).toList());
  }

  /** Returns a region as a subject. */
  static Regions region(RegionSpecifier region) {
    return region(region, List.of());
  }

  /** Returns a region as a subject, of which rows are read or written. */
  static Regions region(RegionSpecifier region, List<RowAccess> accesses) {
    return new Regions(List.of(part(region, accesses)));
  }

  /** Returns the region with the encoded name {@code name} as a subject. */
  static CallSubject encodedRegion(ByteString name) {
    return new Regions(List.of(new RegionPart(name, true, List.of())));
  }

  /** Returns regions as a subject. */
  static CallSubject regions(List<RegionSpecifier> regions) {
    return new Regions(regions.stream().map(region -> part(region, List.of())).toList());
  }

  private static RegionPart part(RegionSpecifier region, List<RowAccess> accesses) {
    boolean isEncoded = region.getType() == RegionSpecifierType.ENCODED_REGION_NAME;
    return new RegionPart(region.getValue(), isEncoded, accesses);
  }

  /** Returns the region with the full name {@code name} as a subject. */
  static CallSubject region(byte[] name) {
    return regionsNamed(List.of(name));
  }

  /** Returns the regions with these full names as a subject. */
  static CallSubject regionsNamed(List<byte[]> names) {
    return new Regions(
        names.stream()
            .map(name -> new RegionPart(ByteString.copyFrom(name), false, List.of()))
            .toList());
  }

  /** Returns the table or the namespace that a request names; the cluster if it names neither. */
  static CallSubject tableOrNamespace(
      Optional<HBaseProtos.TableName> table, Optional<String> namespace) {
    return table
        .map(CallSubject::table)
        .or(() -> namespace.<CallSubject>map(Namespace::new))
        .orElse(CLUSTER);
  }

  private static TableName name(HBaseProtos.TableName message) {
    return new TableName(
        message.getNamespace().toStringUtf8(), message.getQualifier().toStringUtf8());
  }
}
