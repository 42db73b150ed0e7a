import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.StringJoiner;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Ranks passages by BM25. Arguments: the language, and how many hits to print. Each line of the input is "passage" or
 * "question", a tab, and the text. Prints a line for each question: the numbers of its hits, counted from 0, best first.
 */
class LuceneRanking {
  static final String FIELD = "text";

  static Analyzer createAnalyzer(String language) {
    return switch (language) {
      case "ar" -> new ArabicAnalyzer();
      case "de" -> new GermanAnalyzer();
      case "el" -> new GreekAnalyzer();
      case "en" -> new EnglishAnalyzer();
      case "es" -> new SpanishAnalyzer();
      case "hi" -> new HindiAnalyzer();
      case "ja", "zh" -> new CJKAnalyzer();
      case "ro" -> new RomanianAnalyzer();
      case "ru" -> new RussianAnalyzer();
      case "th" -> new ThaiAnalyzer();
      case "tr" -> new TurkishAnalyzer();
      // Lucene has no analyzer for Vietnamese.
      case "vi" -> new StandardAnalyzer();
      default -> throw new IllegalArgumentException("no analyzer for " + language);
    };
  }

  /** Any of the analyzed words; one that occurs twice counts twice. */
  static BooleanQuery createQuery(Analyzer analyzer, String question) throws IOException {
    var query = new BooleanQuery.Builder();
    try (var words = analyzer.tokenStream(FIELD, question)) {
      var word = words.addAttribute(CharTermAttribute.class);
      words.reset();
      while (words.incrementToken())
        query.add(new TermQuery(new Term(FIELD, word.toString())), BooleanClause.Occur.SHOULD);
      words.end();
    }
    return query.build();
  }

  public static void main(String[] arguments) throws IOException {
    var analyzer = createAnalyzer(arguments[0]);
    int limit = Integer.parseInt(arguments[1]);
    var similarity = new BM25Similarity(0.9f, 0.4f);
    var questions = new ArrayList<String>();
    var directory = new ByteBuffersDirectory();
    var config = new IndexWriterConfig(analyzer).setSimilarity(similarity);
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (var writer = new IndexWriter(directory, config)) {
      for (var line = input.readLine(); line != null; line = input.readLine()) {
        var parts = line.split("\t", 2);
        if (parts[0].equals("question")) {
          questions.add(parts[1]);
          continue;
        }
        var document = new Document();
        document.add(new TextField(FIELD, parts[1], Field.Store.NO));
        writer.addDocument(document);
      }
      // One segment, in which the passages are numbered as they were added.
      writer.forceMerge(1);
    }
    var output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    try (var reader = DirectoryReader.open(directory)) {
      var searcher = new IndexSearcher(reader);
      searcher.setSimilarity(similarity);
      for (var question : questions) {
        var hits = new StringJoiner(" ");
        for (var hit : searcher.search(createQuery(analyzer, question), limit).scoreDocs)
          hits.add(Integer.toString(hit.doc));
        output.println(hits);
      }
    }
    output.flush();
  }
}
