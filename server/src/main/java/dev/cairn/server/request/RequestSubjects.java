package dev.cairn.server.request;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallSubject.RegionPart;
import dev.cairn.server.rpc.service.RowAccess;
import dev.cairn.server.rpc.service.RowAccess.Kind;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;

/**
 * Reads the subjects of {@code Get}, {@code Mutate}, {@code Scan} and {@code Multi}: the regions,
 * and the rows and families that a call reads and writes in them.
 */
public final class RequestSubjects {
  /** The access of a service of a region, which may read and write any row. */
  private static final RowAccess SERVICE =
      new RowAccess(Kind.SERVICE, new byte[0], new byte[0], List.of(), 0);

  private RequestSubjects() {}

  /** Returns the subject of a {@code Get}. */
  public static CallSubject of(RpcCall call, GetMessage get) {
    return region(get, List.of(read(get)));
  }

  /** Returns the subject of a {@code Mutate}. */
  public static CallSubject of(RpcCall call, MutateMessage message) throws IOException {
    Cells cells = new Cells(call.requestCells());
    boolean depends = message.condition().isPresent();
    return region(message, List.of(write(message.mutation(), depends, cells)));
  }

  /** Returns the subject of a {@code Scan}. */
  public static CallSubject of(RpcCall call, ScanMessage message) {
    if (message.subject() instanceof ScanMessage.Opening opening) {
      ScanRequest scan = opening.request();
      byte[] first = scan.reversed() ? scan.stopRow() : scan.startRow();
      byte[] last = scan.reversed() ? scan.startRow() : scan.stopRow();
      return region(opening, List.of(new RowAccess(Kind.READ, first, last, families(scan), 0)));
    }
    return message.subject() instanceof ScanMessage.Known known
        ? new CallSubject.Scanner(known.scannerId(), message.rows() > 0)
        : CallSubject.CLUSTER;
  }

  /** Returns the subject of a {@code Multi}. */
  public static CallSubject of(RpcCall call, MultiMessage message) throws IOException {
    Cells cells = new Cells(call.requestCells());
    List<RegionPart> regions = new ArrayList<>();
    for (RegionActions group : message.groups()) {
      Optional<Condition> condition = group.condition().or(message::condition);
      List<RowAccess> accesses =
          group.puts().isPresent()
              ? puts(group.puts().get(), condition.isPresent(), cells)
              : accesses(group, condition.isPresent(), cells);
      regions.add(new RegionPart(group.regionName(), group.hasEncodedName(), accesses));
    }
    return new CallSubject.Regions(regions);
  }

  private static CallSubject region(RegionRequest request, List<RowAccess> accesses) {
    return new CallSubject.Regions(
        List.of(new RegionPart(request.regionName(), request.hasEncodedName(), accesses)));
  }

  private static List<RowAccess> accesses(RegionActions group, boolean depends, Cells cells)
      throws IOException {
    List<RowAccess> accesses = new ArrayList<>();
    for (RegionActions.Action action : group.listed()) {
      if (action instanceof RegionActions.Action.Read read) {
        accesses.add(read(read.get()));
      } else if (action instanceof RegionActions.Action.Write write) {
        accesses.add(write(write.mutation(), depends, cells));
      } else {
        accesses.add(SERVICE);
      }
    }
    return accesses;
  }

  private static List<RowAccess> puts(PutGroup puts, boolean depends, Cells cells) {
    Kind kind = depends ? Kind.READ_AND_WRITE : Kind.WRITE;
    long messageBytes = puts.mutationBytes() / puts.size();
    List<RowAccess> accesses = new ArrayList<>(puts.size());
    int end = 0;
    for (int i = 0; i < puts.size(); i++) {
      Cells.Part own = cells.take(puts.ends()[i] - end);
      end = puts.ends()[i];
      byte[] row = puts.row(i);
      accesses.add(new RowAccess(kind, row, row, own.families(), messageBytes + own.bytes()));
    }
    return accesses;
  }

  private static RowAccess read(GetMessage get) {
    return RowAccess.read(get.row().startRow(), families(get.row()));
  }

  private static List<byte[]> families(ScanRequest scan) {
    return List.copyOf(scan.families().keySet());
  }

  private static RowAccess write(MutationMessage mutation, boolean depends, Cells cells)
      throws IOException {
    Cells.Part beside = cells.take(mutation.cellsBeside().orElse(0));
    TreeSet<byte[]> families = new TreeSet<>(Arrays::compareUnsigned);
    families.addAll(beside.families());
    if (mutation.cells > 0) {
      MutationReader.addFamilies(mutation, families);
    }
    return new RowAccess(
        depends || mutation.isComputed() ? Kind.READ_AND_WRITE : Kind.WRITE,
        mutation.row(),
        mutation.row(),
        List.copyOf(families),
        mutation.length() + beside.bytes());
  }

  /** The cells beside the message, in the order of the mutations that they belong to. */
  private static final class Cells {
    private final CellBuffer cells;
    private int next;

    Cells(CellBuffer cells) {
      this.cells = cells;
    }

    /**
     * The cells of one mutation.
     *
     * @param families their families, each once
     * @param bytes their length
     */
    record Part(List<byte[]> families, long bytes) {}

    /** Returns the next {@code count} cells, or what is left of them: the method refuses those. */
    Part take(int count) {
      int end = (int) Math.min(cells.size(), next + Math.max(0L, count));
      TreeSet<byte[]> families = new TreeSet<>(Arrays::compareUnsigned);
      long bytes = 0;
      for (; next < end; next++) {
        Cell cell = cells.get(next);
        bytes += cells.length(next);
        families.add(cell.family());
      }
      return new Part(List.copyOf(families), bytes);
    }
  }
}
