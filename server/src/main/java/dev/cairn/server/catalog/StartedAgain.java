package dev.cairn.server.catalog;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;

/**
 * Reports that a server ended because others believed it dead, and has restarted itself. The active
 * master receives it as the fatal error of the earlier life, with the text {@code Started again as
 * <name>: <reason>}.
 *
 * @param earlier the life that ended
 * @param now the life that took its place
 * @param reason why the earlier life ended; a sentence without a full stop
 */
public record StartedAgain(ServerName earlier, ServerName now, String reason) {
  private static final Pattern TEXT =
      Pattern.compile("Started again as (\\S+): (.*)", Pattern.DOTALL);

  /** Returns the message for the master. */
  public ReportRSFatalErrorRequest message() {
    return ReportRSFatalErrorRequest.newBuilder()
        .setServer(earlier.message())
        .setErrorMessage("Started again as " + now + ": " + reason)
        .build();
  }

  /** Reads a message; empty if it reports no restart. */
  public static Optional<StartedAgain> of(ReportRSFatalErrorRequest message) {
    Matcher text = TEXT.matcher(message.getErrorMessage());
    try {
      return text.matches()
          ? Optional.of(
              new StartedAgain(
                  ServerName.of(message.getServer()),
                  ServerName.parse(text.group(1)),
                  text.group(2)))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
