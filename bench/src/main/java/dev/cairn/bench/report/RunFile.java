package dev.cairn.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A run, or figures, as JSON: the fields are those of the records. */
public final class RunFile {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private static final JsonMapper FIGURES =
      JSON.rebuild().disable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES).build();

  private RunFile() {}

  /** Writes a run; its folder is made if need be, and a file that is there is replaced. */
  public static void write(Run run, Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writeValueAsString(run) + "\n");
  }

  /**
   * Reads a run.
   *
   * @throws IOException if the file cannot be read or holds no run; the message names the error
   */
  public static Run read(Path file) throws IOException {
    return read(file, JSON, Run.class);
  }

  /**
   * Reads figures. A figure may omit numbers.
   *
   * @throws IOException if the file cannot be read or holds no figures; the message names the error
   */
  static Figures readFigures(Path file) throws IOException {
    return read(file, FIGURES, Figures.class);
  }

  /** Tells whether a file holds a run rather than figures. */
  static boolean holdsRun(Path file) throws IOException {
    return read(file, JSON, JsonNode.class).has("measurements");
  }

  private static <T> T read(Path file, JsonMapper mapper, Class<T> type) throws IOException {
    try {
      return mapper.readValue(Files.readString(file), type);
    } catch (JsonProcessingException e) {
      throw new IOException(file + " holds no results: " + e.getOriginalMessage(), e);
    }
  }
}
