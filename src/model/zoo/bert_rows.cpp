// BERT (Devlin 2018), RoBERTa and XLM-R (Liu 2019, Conneau 2019), DistilBERT (Sanh 2019) and ELECTRA (Clark 2020).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> bert_rows() {
  return {
      {"bert-base", "BERT", "BERT base with its masked-word head (Devlin 2018)",
       R"({"architectures":["BertForMaskedLM"],"model_type":"bert","hidden_size":768,"num_hidden_layers":12,
        "num_attention_heads":12,"intermediate_size":3072,"vocab_size":30522})"},
      {"bert-large", "BERT", "BERT large with its masked-word head (Devlin 2018)",
       R"({"architectures":["BertForMaskedLM"],"model_type":"bert","hidden_size":1024,"num_hidden_layers":24,
        "num_attention_heads":16,"intermediate_size":4096,"vocab_size":30522})"},
      {"roberta-base", "BERT", "RoBERTa base (Liu 2019)",
       R"({"architectures":["RobertaForMaskedLM"],"model_type":"roberta","hidden_size":768,
        "num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"vocab_size":50265,
        "max_position_embeddings":514,"type_vocab_size":1})"},
      {"roberta-large", "BERT", "RoBERTa large (Liu 2019)",
       R"({"architectures":["RobertaForMaskedLM"],"model_type":"roberta","hidden_size":1024,
        "num_hidden_layers":24,"num_attention_heads":16,"intermediate_size":4096,"vocab_size":50265,
        "max_position_embeddings":514,"type_vocab_size":1})"},
      {"xlm-roberta-base", "BERT", "XLM-R base (Conneau 2019)",
       R"({"architectures":["XLMRobertaForMaskedLM"],"model_type":"xlm-roberta","hidden_size":768,
        "num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"vocab_size":250002,
        "max_position_embeddings":514,"type_vocab_size":1})"},
      {"distilbert-base", "BERT", "DistilBERT (Sanh 2019)",
       R"({"architectures":["DistilBertForMaskedLM"],"model_type":"distilbert","dim":768,"n_layers":6,
        "n_heads":12,"hidden_dim":3072,"vocab_size":30522})"},
      {"electra-base", "BERT", "ELECTRA base, the discriminator (Clark 2020)",
       R"({"architectures":["ElectraForPreTraining"],"model_type":"electra","hidden_size":768,
        "num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"vocab_size":30522,
        "embedding_size":768})"},
  };
}

}  // namespace plimsoll
