package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.bulkload.SourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.SpaceLimits;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RowAccess;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Implements the calls of {@code ClientService} that load files in bulk. Thread-safe.
 *
 * <p>A load first moves the users' files into the staging directory, under names that depend only
 * on their paths. So a client can repeat a load after its server died, or after it missed the
 * response. The files may then be at their old paths, in the staging directory, or already loaded.
 * The region recognizes loaded files, even after a compaction.
 */
public final class BulkLoadCalls {
  private static final Logger LOG = LoggerFactory.getLogger(BulkLoadCalls.class);

  private final OnlineRegions regions;
  private final StagingDirectory staging;
  private final SourceFiles sources;
  private final BulkLoadRequest.Check check;

  /**
   * Creates the calls.
   *
   * @param check how much of the files is read before they are loaded
   */
  public BulkLoadCalls(
      OnlineRegions regions,
      StagingDirectory staging,
      SourceFiles sources,
      BulkLoadRequest.Check check) {
    this.regions = regions;
    this.staging = staging;
    this.sources = sources;
    this.check = check;
  }

  /** Returns the region and the families that a load writes. */
  static CallSubject subject(RpcCall call, BulkLoadHFileRequest request) {
    List<RowAccess> accesses = new ArrayList<>();
    for (BulkLoadHFileRequest.FamilyPath path : request.getFamilyPathList()) {
      List<byte[]> family = List.of(path.getFamily().toByteArray());
      accesses.add(
          new RowAccess(
              RowAccess.Kind.WRITE, Bytes.EMPTY, Bytes.EMPTY, family, path.getPath().length()));
    }
    return CallSubject.region(request.getRegion(), accesses);
  }

  /** Makes a staging directory. */
  PrepareBulkLoadResponse prepare(RpcCall call, PrepareBulkLoadRequest request) throws IOException {
    if (request.hasRegion()) {
      HostedRegion region = regions.find(request.getRegion());
      try (Turn turn = region.enterHooks(call)) {
        region.bulkLoads().preparing(call.user());
      }
    }
    return PrepareBulkLoadResponse.newBuilder()
        .setBulkToken(staging.prepare(call.user(), Messages.tableName(request.getTableName())))
        .build();
  }

  /** Deletes a staging directory. */
  CleanupBulkLoadResponse cleanUp(RpcCall call, CleanupBulkLoadRequest request) throws IOException {
    if (request.hasRegion()) {
      HostedRegion region = regions.find(request.getRegion());
      try (Turn turn = region.enterHooks(call)) {
        region.bulkLoads().cleaningUp(call.user());
      }
    }
    cleanUp(request.getBulkToken());
    return CleanupBulkLoadResponse.getDefaultInstance();
  }

  private void cleanUp(String directory) throws IOException {
    for (String left : staging.cleanUp(directory)) {
      LOG.warn("A bulk load has ended and has left a file that was not loaded: {}", left);
    }
  }

  /**
   * Loads files. If a file has rows of other regions, loads nothing and reports it in the response.
   * The client then looks up the regions again and divides its files.
   */
  BulkLoadHFileResponse load(RpcCall call, BulkLoadHFileRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    checkFamilies(region, request);
    region.space().check(region.info().table(), SpaceLimits.Change.LOAD);
    List<BulkLoadRequest.File> files =
        request.getFamilyPathList().stream()
            .map(file -> new BulkLoadRequest.File(file.getFamily().toByteArray(), file.getPath()))
            .toList();
    try (Turn turn = region.enterHooks(call)) {
      BulkLoadOutcome outcome =
          region.bulkLoads().run(files, () -> load(region, call.user(), request));
      return BulkLoadHFileResponse.newBuilder()
          .setLoaded(outcome instanceof BulkLoadOutcome.Loaded)
          .build();
    }
  }

  private BulkLoadOutcome load(HostedRegion region, String user, BulkLoadHFileRequest request)
      throws IOException {
    if (request.hasBulkToken()) {
      return stageAndLoad(region, request, staging.path(request.getBulkToken()));
    }
    String own = staging.prepare(user, region.info().table());
    try {
      return stageAndLoad(region, request, staging.path(own));
    } finally {
      cleanUp(own);
    }
  }

  /** Refuses names that are no families, because the names become parts of paths. */
  private static void checkFamilies(HostedRegion region, BulkLoadHFileRequest request)
      throws IOException {
    for (BulkLoadHFileRequest.FamilyPath file : request.getFamilyPathList()) {
      region.checkFamily(file.getFamily().toByteArray());
    }
  }

  private BulkLoadOutcome stageAndLoad(
      HostedRegion region, BulkLoadHFileRequest request, String directory) throws IOException {
    List<Staged> taken = new ArrayList<>();
    boolean used = false;
    try {
      List<BulkLoadRequest.File> files = new ArrayList<>();
      StringBuilder id = new StringBuilder(directory);
      for (BulkLoadHFileRequest.FamilyPath file : request.getFamilyPathList()) {
        String source = file.getPath();
        String family = file.getFamily().toStringUtf8();
        String path =
            Storage.join(directory, family + "/" + hash(source) + "." + Storage.name(source));
        take(source, path, request.getCopyFile()).ifPresent(taken::add);
        files.add(new BulkLoadRequest.File(file.getFamily().toByteArray(), path));
        id.append('\n').append(path);
      }
      checkSpace(region, files);
      BulkLoadOutcome outcome =
          region.bulkLoad(
              new BulkLoadRequest(
                  hash(id.toString()),
                  files,
                  request.getAssignSeqNum()
                      ? BulkLoadRequest.Sequence.NEW
                      : BulkLoadRequest.Sequence.STORED,
                  check));
      if (outcome instanceof BulkLoadOutcome.OutsideRegion outside) {
        LOG.info("Nothing was loaded into {}: {}", region, outside.reason());
      }
      // An earlier attempt may have loaded copies of the files.
      used = outcome instanceof BulkLoadOutcome.Loaded loaded && !loaded.paths().isEmpty();
      return outcome;
    } catch (NoSuchFileException e) {
      throw new FileNotFoundException("There is no file to load at " + e.getFile());
    } catch (IOException | RuntimeException e) {
      throw EngineErrors.forClient(e);
    } finally {
      if (!used) {
        taken.forEach(this::giveBack);
      }
    }
  }

  /** Refuses files that would exceed the table's limit on space. */
  private void checkSpace(HostedRegion region, List<BulkLoadRequest.File> files)
      throws IOException {
    TableName table = region.info().table();
    if (region.space().concerns(table)) {
      long bytes = 0;
      for (BulkLoadRequest.File file : files) {
        bytes += staging.length(file.path());
      }
      region.space().checkLoad(table, bytes);
    }
  }

  /** A file in the staging directory, and where it came from. */
  private record Staged(String source, String path, SourceFiles.Transfer transfer) {}

  /** Brings a file into the staging directory, unless an earlier attempt has. */
  private Optional<Staged> take(String source, String path, boolean copy) throws IOException {
    if (staging.holds(path)) {
      return Optional.empty();
    }
    try {
      SourceFiles.Mode mode = copy ? SourceFiles.Mode.COPY : SourceFiles.Mode.MOVE;
      return Optional.of(new Staged(source, path, sources.take(source, staging.url(path), mode)));
    } catch (NoSuchFileException e) {
      return Optional.empty(); // It may be loaded already, which the region knows.
    }
  }

  private void giveBack(Staged file) {
    try {
      if (!staging.holds(file.path())) {
        return;
      }
      if (file.transfer() == SourceFiles.Transfer.MOVED) {
        sources.giveBack(staging.url(file.path()), file.source());
      } else {
        sources.delete(staging.url(file.path()));
      }
    } catch (IOException e) {
      LOG.warn(
          "The file {} was not loaded; it is at {}, since it cannot be moved back: {}",
          file.source(),
          staging.url(file.path()),
          e.getMessage());
    }
  }

  private static String hash(String text) {
    return Bytes.md5(Bytes.utf8(text));
  }
}
