package dev.cairn.server.advise;

import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Finds short scans that are repeated in each bucket of a salt. A salt is a prefix of at most
 * {@value #SALT_MAX} bytes with few values, which are equally frequent, and after which all rows go
 * on with the same byte. Scans are repeated if those of different buckets read the same range after
 * the salt about as often as those of one bucket.
 */
final class SaltedScans implements Check {
  private static final int SALT_MAX = 4;
  private static final int BUCKETS_MAX = 256;
  private static final int CALLS_OF_BUCKET_MIN = 8;
  private static final double SAME_BYTE = 0.9;
  private static final double SCANS_MIN = 0.2;
  private static final int SCANS_COMPARED_MAX = 400;
  private static final int OVERLAPS_MIN = 10;

  /** Above this, a scan gains as much from several servers as it pays for them. */
  private static final int SHORT_ROWS = 100;

  /** A salt: its length, and its number of values. */
  record Salt(int length, int buckets) {}

  @Override
  public List<Finding> findings(Observation seen) {
    List<LoadSample> scans = seen.calls().filter(call -> call.kind() == Kind.SCAN).toList();
    double requests = seen.requests(Kind.SCAN);
    double rows = scans.stream().mapToDouble(LoadSample::rows).sum() / Math.max(1, requests);
    if (scans.size() < Observation.SAMPLES_MIN / 2
        || requests < SCANS_MIN * seen.requests(call -> true)
        || rows > SHORT_ROWS) {
      return List.of();
    }
    return salt(seen)
        .filter(salt -> isRepeated(scans, salt.length()))
        .map(salt -> finding(seen, salt, requests, rows))
        .stream()
        .toList();
  }

  private static Finding finding(Observation seen, Salt salt, double requests, double rows) {
    String answer = "scan calls for one question";
    return new Finding(
        Rule.SALTED_SCANS,
        String.format(
            Locale.ROOT,
            "Rows begin with a salt of %d bytes and %d values, and short scans are repeated for each"
                + " value: a question costs %d calls that find few rows each.",
            salt.length(),
            salt.buckets(),
            salt.buckets()),
        List.of(
            Evidence.share("scans among the requests", requests / seen.requests(call -> true)),
            Evidence.count("rows of a scan call", rows),
            Evidence.count("values of the salt", salt.buckets())),
        List.of(
            new Proposal(
                "Compute the salt from that part of the row which a scan knows (the user, the"
                    + " sensor), not from the whole row. Then all rows of a scan have one salt.",
                List.of(),
                new Effect(answer, Effect.Unit.COUNT, salt.buckets(), 1))));
  }

  /** Returns the salt with which the rows begin; empty if there is none. */
  static Optional<Salt> salt(Observation seen) {
    List<LoadSample> calls = seen.calls().toList();
    for (int length = 1; length <= SALT_MAX; length++) {
      Map<ByteString, Integer> buckets = new HashMap<>();
      int[] next = new int[256];
      for (LoadSample call : calls) {
        if (call.row().length > length) {
          buckets.merge(ByteString.copyFrom(call.row(), 0, length), 1, Integer::sum);
          next[call.row()[length] & 0xff]++;
        }
      }
      if (isSalt(buckets, calls.size(), Arrays.stream(next).max().orElse(0))) {
        return Optional.of(new Salt(length, buckets.size()));
      }
    }
    return Optional.empty();
  }

  private static boolean isSalt(Map<ByteString, Integer> buckets, int calls, int sameByte) {
    double part = (double) calls / Math.max(1, buckets.size());
    double chance = 5 * Math.sqrt(part);
    int most = buckets.values().stream().mapToInt(one -> one).max().orElse(0);
    return buckets.size() >= 2
        && buckets.size() <= BUCKETS_MAX
        && part >= CALLS_OF_BUCKET_MIN
        && most <= Math.max(1.5 * part, part + chance)
        && sameByte >= SAME_BYTE * calls;
  }

  private static boolean isRepeated(List<LoadSample> scans, int salt) {
    List<LoadSample> compared = scans.subList(0, Math.min(scans.size(), SCANS_COMPARED_MAX));
    long same = 0;
    long sameOverlaps = 0;
    long other = 0;
    long otherOverlaps = 0;
    for (int i = 0; i < compared.size(); i++) {
      for (int j = i + 1; j < compared.size(); j++) {
        boolean overlaps = overlap(compared.get(i), compared.get(j), salt);
        if (hasPrefixOf(compared.get(i).row(), compared.get(j).row(), salt)) {
          same++;
          sameOverlaps += overlaps ? 1 : 0;
        } else {
          other++;
          otherOverlaps += overlaps ? 1 : 0;
        }
      }
    }
    return otherOverlaps >= OVERLAPS_MIN
        && (double) otherOverlaps * same >= 0.5 * sameOverlaps * other;
  }

  private static boolean hasPrefixOf(byte[] a, byte[] b, int length) {
    return Arrays.equals(a, 0, Math.min(length, a.length), b, 0, Math.min(length, b.length));
  }

  private static boolean overlap(LoadSample a, LoadSample b, int salt) {
    return compare(a.low(), b.high(), salt) <= 0 && compare(b.low(), a.high(), salt) <= 0;
  }

  private static int compare(byte[] a, byte[] b, int from) {
    return Arrays.compareUnsigned(
        a, Math.min(from, a.length), a.length, b, Math.min(from, b.length), b.length);
  }
}
