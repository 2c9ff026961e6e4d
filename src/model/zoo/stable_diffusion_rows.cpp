// The U-Nets and text encoders of Stable Diffusion (Rombach 2022) and SDXL (Podell 2023), and CLIP (Radford 2021).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> stable_diffusion_rows() {
  return {
      {"sd-1.5-unet", "Stable Diffusion", "Stable Diffusion 1.5, its U-Net (Rombach 2022)",
       R"({"_class_name":"UNet2DConditionModel","cross_attention_dim":768,"sample_size":64})"},
      {"sdxl-unet", "Stable Diffusion", "Stable Diffusion XL, its U-Net (Podell 2023)",
       R"({"_class_name":"UNet2DConditionModel","block_out_channels":[320,640,1280],
        "down_block_types":["DownBlock2D","CrossAttnDownBlock2D","CrossAttnDownBlock2D"],
        "up_block_types":["CrossAttnUpBlock2D","CrossAttnUpBlock2D","UpBlock2D"],"attention_head_dim":[5,10,
        20],"transformer_layers_per_block":[1,2,10],"cross_attention_dim":2048,"use_linear_projection":true,
        "addition_embed_type":"text_time","addition_time_embed_dim":256,
        "projection_class_embeddings_input_dim":2816,"sample_size":128})"},
      {"sd-vae", "Stable Diffusion", "Stable Diffusion, its autoencoder (Rombach 2022)",
       R"({"_class_name":"AutoencoderKL","block_out_channels":[128,256,512,512],"layers_per_block":2,
        "latent_channels":4,"sample_size":512})"},
      {"clip-vit-large-patch14", "Stable Diffusion", "CLIP, ViT-L/14 (Radford 2021)",
       R"({"architectures":["CLIPModel"],"model_type":"clip","projection_dim":768,
        "text_config":{"hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,
        "num_attention_heads":12},"vision_config":{"hidden_size":1024,"intermediate_size":4096,
        "num_hidden_layers":24,"num_attention_heads":16,"patch_size":14}})"},
  };
}

}  // namespace plimsoll
